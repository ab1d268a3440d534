import type { ValidationFinding } from '@knowledge-warehouse/plugin/protocol';

export { messageOf, type ValidationFinding } from '@knowledge-warehouse/plugin/protocol';

/** The codes of the error envelope, each with its HTTP status. */
export const errorStatus = {
  VALIDATION_FAILED: 400,
  MALFORMED_BODY: 400,
  INVALID_PLUGIN: 400,
  UNKNOWN_PLUGIN: 400,
  URL_NOT_ALLOWED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  RESOURCE_PROCESSING: 409,
  RESOURCE_NOT_PROCESSING: 409,
  STEP_NOT_RESUMABLE: 409,
  NO_MATCHING_PIPELINE: 409,
  TRIGGER_TYPE_TAKEN: 409,
  PLUGIN_IN_USE: 409,
  PLUGIN_EXISTS: 409,
  LAST_ADMIN_KEY: 409,
  ATTEMPT_CLOSED: 409,
  NO_EMBEDDER: 409,
  NO_VECTORS: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  ARTIFACT_UNREADABLE: 500,
  SOURCE_UNREADABLE: 500,
  SHUTTING_DOWN: 503,
  DATABASE_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  TEMPORAL_UNAVAILABLE: 503,
  SEARCH_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/**
 * The only error type for responses: a code for programs, a message for people and details as an object. The code that
 * enforces a rule throws it; only the API renders it as the envelope.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorStatus[this.code];
  }
}

/** A VALIDATION_FAILED error that carries its findings in `details.errors`. */
export function validationFailed(...errors: readonly ValidationFinding[]): ServiceError {
  const first = errors[0];
  const message =
    first === undefined ? 'The request is not valid.' : `${first.path || 'The body'}: ${first.message}`;
  return new ServiceError('VALIDATION_FAILED', message, { errors });
}
