import type { Context } from 'koa';
import { basePathOf } from '../../core/base-path.js';
import type { ApiState } from '../middleware/request-id.js';

/** The maximum age of a session in seconds. Its row decides when it really ends. */
const longestSeconds = 7 * 24 * 60 * 60;

/** Whether the browser speaks https, to us or to the proxy in front of us. */
const isHttps = (ctx: Context, publicUrl: string): boolean =>
  publicUrl.startsWith('https:') || (ctx.state as ApiState).client.isHttps;

/**
 * Returns the name of the cookie with a session's token. Over https its prefix makes browsers reject cookies that
 * another host or path set, or that came over http (RFC 6265bis §4.1.3.2). The prefix requires the path `/`, so a
 * service below another path uses a different name.
 */
export function sessionCookieName(overHttps: boolean, publicUrl: string): string {
  const name = overHttps ? '__Host-kw_session' : 'kw_session';
  return name + basePathOf(publicUrl).replace(/[^A-Za-z0-9]+/g, '_');
}

/** Returns the token in a request's cookie, or null. */
export function sessionToken(ctx: Context, publicUrl: string): string | null {
  return ctx.cookies.get(sessionCookieName(isHttps(ctx, publicUrl), publicUrl)) || null;
}

/** Returns the Set-Cookie value for a session's token; null deletes the cookie. */
export function sessionCookie(ctx: Context, publicUrl: string, token: string | null): string {
  const secure = isHttps(ctx, publicUrl);
  const parts = [
    `${sessionCookieName(secure, publicUrl)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : longestSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}
