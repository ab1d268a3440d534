import type { Middleware } from 'koa';
import { basePathOf } from '../../core/base-path.js';

/**
 * Takes the path of KW_PUBLIC_URL off requests. A proxy in front may do so or leave it: both are understood, and so is
 * who asks past it. Null: there is no path.
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
