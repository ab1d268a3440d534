import type { Context } from 'koa';
import { basePathOf } from '../../core/base-path.js';
import type { ApiState } from '../middleware/request-id.js';

/** Seconds: the maximum age of a session. Its row decides when it really ends. */
const longestSeconds = 7 * 24 * 60 * 60;

/** Whether the browser speaks https, to us or to the proxy in front of us. */
const isHttps = (ctx: Context, publicUrl: string): boolean =>
  publicUrl.startsWith('https:') || (ctx.state as ApiState).client.isHttps;

/**
 * The name of the cookie that holds a session's token. Over https its prefix has browsers refuse one that another host
 * or path set, or that came over http (RFC 6265bis §4.1.3.2). That asks for the path `/`: a service below another path has a name of its own.
 */
export function sessionCookieName(overHttps: boolean, publicUrl: string): string {
  const name = overHttps ? '__Host-kw_session' : 'kw_session';
  return name + basePathOf(publicUrl).replace(/[^A-Za-z0-9]+/g, '_');
}

/** The token that a request's cookie holds, or null. */
export function sessionToken(ctx: Context, publicUrl: string): string | null {
  return ctx.cookies.get(sessionCookieName(isHttps(ctx, publicUrl), publicUrl)) || null;
}

/** The Set-Cookie with which a browser keeps a session's token; null: forgets it. */
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
