import { SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { messageOf, ServiceError } from '../../core/errors.js';

/** Where spans of our own come from. Without a provider they are nothing, and cost as much. */
export const tracer = (): ReturnType<typeof trace.getTracer> => trace.getTracer('knowledge-warehouse');

export interface SpanOptions {
  readonly kind?: 'client' | 'producer' | 'internal';
  readonly attributes?: Attributes;
}

const kinds = {
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
} as const;

/** Does work in a span of its own, which ends with it and tells of its failure. */
export async function inSpan<T>(
  name: string,
  { kind = 'internal', attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return await tracer().startActiveSpan(name, { kind: kinds[kind], attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Notes on a span what went wrong: a code of ours or the error's name, and its message. */
export function markFailed(span: Span, error: unknown): void {
  const type = error instanceof ServiceError ? error.code : error instanceof Error ? error.name : 'error';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
}
