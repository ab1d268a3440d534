import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { messageOf } from '../protocol/text.js';

/** The headers that tie what a worker does to the request and the trace it comes from; they go back with its own requests. */
export type Origin = Readonly<Partial<Record<(typeof names)[number], string>>>;

const names = ['x-request-id', 'traceparent', 'tracestate'] as const;

/** What of the headers of a delivery says where it comes from. */
export function readOrigin(headers: Readonly<Record<string, string | string[] | undefined>>): Origin {
  const given = names.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string'));
}

/**
 * The headers for a request to Core. Where the author's process traces, they name the span at work; else Core's own
 * come back as they were, so that the trace goes on without us.
 */
export function originHeaders(origin: Origin): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  if (!('traceparent' in carrier)) return { ...origin };
  const { 'x-request-id': id } = origin;
  return { ...(id !== undefined && { 'x-request-id': id }), ...carrier };
}

/** Does work as part of the trace that an origin names. */
export function withinTrace<T>(origin: Origin, work: () => T): T {
  return context.with(propagation.extract(ROOT_CONTEXT, origin), work);
}

/** Does a plugin's work in a span of its own, which is nothing unless the author's process traces. */
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
