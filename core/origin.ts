/**
 * Where work comes from: the request that asked for it, and the trace it belongs to. Kept beside what is sent later or
 * elsewhere, so that logs and traces hold together; nothing but the priority of the work is decided by it.
 */
export interface Origin {
  /** The X-Request-Id of the request. */
  readonly request_id?: string;
  /** As W3C Trace Context defines them (https://www.w3.org/TR/trace-context/). */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** The bulk operation that it is part of: Temporal hands such work out after all other. */
  readonly operation_id?: string;
}
