import type { Middleware } from 'koa';
import { createClientOf } from '../server/forwarded.js';
import type { ApiState } from './request-id.js';

/** Notes where each request comes from, as far as these proxies are trusted to say it. */
export function noteClient(trustedProxies: readonly string[]): Middleware<ApiState> {
  const clientOf = createClientOf(trustedProxies);
  return async (ctx, next) => {
    ctx.state.client = clientOf(ctx.req);
    await next();
  };
}
