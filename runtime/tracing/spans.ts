import { SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { messageOf, ServiceError } from '../../core/errors.js';

/** The tracer of our own spans. Without a provider, spans are no-ops. */
export const tracer = (): ReturnType<typeof trace.getTracer> => trace.getTracer('knowledge-warehouse');

export interface SpanOptions {
  readonly kind?: 'client' | 'internal';
  readonly attributes?: Attributes;
}

const kinds = {
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Runs work in a new span, which ends with it and records its failure. */
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

/** Records an error on a span: our error code or the error's name, and its message. */
export function markFailed(span: Span, error: unknown): void {
  const type = error instanceof ServiceError ? error.code : error instanceof Error ? error.name : 'error';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
}
