import type { Middleware } from 'koa';
import { createClientOf } from '../server/forwarded.js';
import type { ApiState } from './request-id.js';

/** Records the client of each request, as far as the trusted proxies report it. */
export function noteClient(trustedProxies: readonly string[]): Middleware<ApiState> {
  const clientOf = createClientOf(trustedProxies);
  return async (ctx, next) => {
    ctx.state.client = clientOf(ctx.req);
    await next();
  };
}
