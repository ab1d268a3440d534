import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Origin } from '../../core/origin.js';
import type { Fields, LogFields } from './log-fields.js';

/** The origin of the current work, to be stored with follow-up work. */
export function currentOrigin(logFields: LogFields): Origin {
  const { request_id } = logFields.current();
  return { ...(typeof request_id === 'string' && { request_id }), ...currentTrace() };
}

/** The headers that propagate the current trace to another server; empty without tracing. */
export function currentTrace(): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** Runs deferred work as part of the trace and the request that caused it; `about` is added to the log fields. */
export function withOrigin<T>(logFields: LogFields, origin: Origin | null, about: Fields, work: () => T): T {
  const fields = origin?.request_id === undefined ? about : { ...about, request_id: origin.request_id };
  const parent = propagation.extract(ROOT_CONTEXT, origin ?? {});
  return logFields.during(fields, () => context.with(parent, work));
}
