import type { Middleware } from 'koa';
import { basePathOf } from '../../core/base-path.js';

/**
 * Strips the path of KW_PUBLIC_URL from requests. Works with proxies that strip it and those that do not, and with
 * direct requests. Returns null if there is no path.
 */
export function stripBasePath(publicUrl: string): Middleware | null {
  const base = basePathOf(publicUrl);
  if (base === '') return null;
  return async (ctx, next) => {
    const { url } = ctx;
    const rest = url.startsWith(base) ? url.slice(base.length) : null;
    if (rest !== null && /^(?:[/?]|$)/.test(rest)) ctx.url = rest.startsWith('/') ? rest : `/${rest}`;
    await next();
  };
}
