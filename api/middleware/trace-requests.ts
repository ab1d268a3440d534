import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import type { LogFields } from '../../runtime/logging/log-fields.js';
import { tracer } from '../../runtime/tracing/spans.js';
import type { ApiState } from './request-id.js';

/** Paths that monitoring polls every few seconds. Their traces would bury the others. */
const watched = /^\/(health\/|metrics$)/;

/**
 * Starts a span for every request, within its caller's trace if it sends one (`traceparent`). Names and attributes are
 * those of OpenTelemetry's semantic conventions for HTTP servers.
 */
export function traceRequests(logFields: LogFields): Middleware<ApiState> {
  return async (ctx, next) => {
    if (watched.test(ctx.path)) {
      await next();
      return;
    }
    const caller = propagation.extract(ROOT_CONTEXT, ctx.headers);
    const attributes = { 'http.request.method': ctx.method, 'url.path': ctx.path };
    const span = tracer().startSpan(ctx.method, { kind: SpanKind.SERVER, attributes }, caller);
    const fields = logFields.current();
    ctx.res.once('close', () => {
      const { route } = ctx.state;
      if (route !== undefined) span.updateName(`${ctx.method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', ctx.status);
      for (const name of ['request_id', 'resource_id', 'run'] as const) {
        const value = fields[name];
        if (value !== undefined) span.setAttribute(`kw.${name}`, value);
      }
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    await context.with(trace.setSpan(caller, span), next);
  };
}
