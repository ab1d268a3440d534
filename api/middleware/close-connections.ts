import type { Middleware } from 'koa';

/** Once `leaving` is aborted, answers end their connection, so that the client's next request goes elsewhere. */
export function closeConnections(leaving: AbortSignal): Middleware {
  return async (ctx, next) => {
    await next();
    // A connection on which a request is still being sent would be cut off before the answer is seen.
    if (leaving.aborted && ctx.req.complete) ctx.set('Connection', 'close');
  };
}
