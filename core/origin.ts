/**
 * The request and trace that work originates from. Stored with work that is sent later or elsewhere, so that
 * logs and traces can be correlated. It affects nothing but priority.
 */
export interface Origin {
  /** The X-Request-Id of the request. */
  readonly request_id?: string;
  /** As W3C Trace Context defines them (https://www.w3.org/TR/trace-context/). */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** The bulk operation that the work belongs to. Temporal dispatches such work after all other work. */
  readonly operation_id?: string;
}
