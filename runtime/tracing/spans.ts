import { SpanStatusCode, trace, type Span, type SpanOptions } from '@opentelemetry/api';
import { messageOf, ServiceError } from '../../core/errors.js';

/** The tracer of our own spans. Without a provider, spans are no-ops. */
export const tracer = (): ReturnType<typeof trace.getTracer> => trace.getTracer('knowledge-warehouse');

/** Runs work in a new span, which ends with it and records the code (or name) and the message of its error. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return await tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const type = error instanceof ServiceError ? error.code : error instanceof Error ? error.name : 'error';
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}
