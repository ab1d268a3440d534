import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { messageOf } from '../protocol/text.js';

/** Headers that link a worker's activity to the request and trace that caused it. Its own requests send them back. */
export type Origin = Readonly<Partial<Record<(typeof names)[number], string>>>;

const names = ['x-request-id', 'traceparent', 'tracestate'] as const;

/** Returns the origin in the headers of a delivery. */
export function readOrigin(headers: Readonly<Record<string, string | string[] | undefined>>): Origin {
  const given = names.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string'));
}

/**
 * Returns the headers for a request to Core. If the author's process is traced, they name the current span; otherwise
 * Core's own headers are returned unchanged, so that the trace continues without this worker.
 */
export function originHeaders(origin: Origin): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  if (!('traceparent' in carrier)) return { ...origin };
  const { 'x-request-id': id } = origin;
  return { ...(id !== undefined && { 'x-request-id': id }), ...carrier };
}

/** Runs work as part of an origin's trace. */
export function withinTrace<T>(origin: Origin, work: () => T): T {
  return context.with(propagation.extract(ROOT_CONTEXT, origin), work);
}

/** Runs a plugin's work in a separate span, which has no effect unless the author's process is traced. */
export async function inPluginSpan<T>(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  work: () => Promise<T>,
): Promise<T> {
  const tracer = trace.getTracer('knowledge-warehouse/plugin');
  return await tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}
