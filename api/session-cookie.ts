import type { Context } from 'koa';

/** Seconds: as long as a session may last. When it really ends its row says. */
const longestSeconds = 7 * 24 * 60 * 60;

const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:');

/**
 * The name of the cookie that holds a session's token. Over https its prefix has browsers refuse one that another host
 * or path set, or that came over http (RFC 6265bis §4.1.3.2).
 */
export function sessionCookieName(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-kw_session' : 'kw_session';
}

/** The token that a request's cookie holds, or null. */
export function sessionToken(ctx: Context, publicUrl: string): string | null {
  return ctx.cookies.get(sessionCookieName(publicUrl)) || null;
}

/** The Set-Cookie with which a browser keeps a session's token; null: forgets it. */
export function sessionCookie(publicUrl: string, token: string | null): string {
  const parts = [
    `${sessionCookieName(publicUrl)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : longestSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(isHttps(publicUrl) ? ['Secure'] : [])].join('; ');
}
