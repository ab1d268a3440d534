import helmet from 'helmet';
import type { Middleware } from 'koa';
import { promisify } from 'node:util';

/**
 * Headers of every answer: nothing is guessed, run, framed, kept or referred to, and no page of another origin embeds
 * it. Pages loosen the policy for themselves.
 *
 * @param publicUrl Where browsers find us: over https they are told to stay there.
 */
export function securityHeaders(publicUrl: string): Middleware {
  const set = promisify(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000 },
      xFrameOptions: { action: 'deny' },
    }),
  );
  return async (ctx, next) => {
    await set(ctx.req, ctx.res);
    ctx.set('Cache-Control', 'no-store');
    await next();
  };
}
