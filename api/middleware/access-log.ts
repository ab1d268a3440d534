import { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../../runtime/logging/logger.js';
import { clientClosedRequest, statusOfCut } from '../server/cut-connections.js';
import type { Metrics } from '../server/metrics.js';
import type { ApiState } from './request-id.js';

/** Logs and measures each request once its answer was sent or aborted. */
export function accessLog(log: Logger, metrics: Metrics): Middleware<ApiState> {
  // Redacting secrets costs more than the rest of a line, and each field is listed explicitly below.
  const lines = log.child({}, { redact: [] });
  return async (ctx, next) => {
    const begun = process.hrtime.bigint();
    // The end of a response is an event of the connection, whose async context is not the request's.
    const request = new AsyncResource('REQUEST');
    let wasAnswered = false;
    ctx.res.once('finish', () => {
      // A rejected request has no socket, although the types say otherwise.
      const socket = ctx.req.socket as Socket | null;
      wasAnswered = socket?.destroyed !== true;
    });
    const write = (): void => {
      const { route, keyId } = ctx.state;
      const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
      const status = wasAnswered ? ctx.status : statusOfUnanswered(ctx);
      // A stream lasts as long as its client listens, so its duration says nothing about response times.
      if (ctx.response.is('text/event-stream') === false)
        metrics.observeRequest({ method: ctx.method, route: route ?? 'none', status }, seconds);
      const line = {
        method: ctx.method,
        path: ctx.path,
        route,
        status,
        ms: Math.round(seconds * 1e6) / 1e3,
        key: keyId,
        ...(wasAnswered ? {} : { broke_off: true }),
      };
      if (ctx.path.startsWith('/health/')) lines.debug(line, 'request');
      else lines.info(line, 'request');
    };
    ctx.res.once('close', () => request.runInAsyncScope(write));
    await next();
  };
}

/**
 * Returns the status of a request whose connection ended early: the reason if we closed it, else the one already sent, if
 * a response had begun.
 */
function statusOfUnanswered({ req, res, status }: Pick<Context, 'req' | 'res' | 'status'>): number {
  const hasBegun = res.headersSent && req.complete;
  return statusOfCut(req.socket) ?? (hasBegun ? status : clientClosedRequest);
}
