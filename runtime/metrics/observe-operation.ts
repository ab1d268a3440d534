import { SpanKind } from '@opentelemetry/api';
import { ServiceError } from '../../core/errors.js';
import { inSpan } from '../tracing/spans.js';
import type { ProcessMetrics } from './process-metrics.js';

/** Measures object store operations, each in its own span. A missing object is not an error of the store. */
export function observeOperation(
  measured: Pick<ProcessMetrics, 'objectStoreUsed'>,
): <T>(operation: string, key: string | null, work: () => Promise<T>) => Promise<T> {
  return async (operation, key, work) => {
    const begun = process.hrtime.bigint();
    const done = (outcome: 'ok' | 'error'): void => {
      const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
      measured.objectStoreUsed({ operation, outcome, seconds });
    };
    const attributes = key === null ? {} : { 'kw.object_key': key };
    return await inSpan(`object store ${operation}`, { kind: SpanKind.CLIENT, attributes }, async () => {
      try {
        const result = await work();
        done('ok');
        return result;
      } catch (error) {
        done(error instanceof ServiceError && error.code !== 'STORAGE_UNAVAILABLE' ? 'ok' : 'error');
        throw error;
      }
    });
  };
}
