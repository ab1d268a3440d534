import type { Middleware } from 'koa';

/** Headers of every answer: nothing is guessed, framed, kept or referred to. Pages loosen the policy for themselves. */
export function securityHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    });
    await next();
  };
}
