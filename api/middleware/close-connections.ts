import type { Middleware } from 'koa';

/** Once `leaving` is aborted, responses close their connection, so that the client's next request goes elsewhere. */
export function closeConnections(leaving: AbortSignal): Middleware {
  return async (ctx, next) => {
    await next();
    // Closing while a request is still being sent would cut the connection before the client sees the response.
    if (leaving.aborted && ctx.req.complete) ctx.set('Connection', 'close');
  };
}
