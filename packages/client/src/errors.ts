/** An unsuccessful response of the API, from its error envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Seconds after which the service asks for a retry. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }

  /** The error envelope that the API sent. */
  get envelope(): { readonly error: Readonly<Record<'code' | 'message' | 'details', unknown>> } {
    return { error: { code: this.code, message: this.message, details: this.details } };
  }

  /** The findings of a validation, each with a JSON Pointer and a message. */
  get findings(): readonly { readonly path: string; readonly message: string }[] {
    const { errors } = this.details;
    return Array.isArray(errors) ? (errors as { path: string; message: string }[]) : [];
  }
}

/** The service did not respond, or its response was interrupted. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(
    readonly url: string,
    /** Whether the request was never sent because the connection was not accepted. */
    readonly unsent: boolean,
    override readonly cause: unknown,
  ) {
    super(`${url} does not answer (${reasonOf(cause)}).`);
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  const { library, reason } = cause as { readonly library?: string; readonly reason?: string };
  // The messages of OpenSSL name its source files and end with a line break.
  if (library !== undefined && reason !== undefined) return `TLS failed: ${reason}`;
  return cause.message === '' ? ((cause as { code?: string }).code ?? cause.name) : cause.message;
}

/** Returns the error in a response's body or, if a proxy responded, one with only its status. */
export function toApiError(status: number, retryAfter: string | null, body: string): ApiError {
  const wait = readRetryAfter(retryAfter);
  const { code, message, details } = errorIn(body);
  if (typeof code === 'string' && typeof message === 'string')
    return new ApiError(status, code, message, { ...(details as object) }, wait);
  const foreign = `The response ${status} does not come from this service.`;
  return new ApiError(status, `HTTP_${status}`, foreign, {}, wait);
}

/** Parses Retry-After, a number of seconds or an HTTP date (RFC 9110 §10.2.3), into seconds; null if there is none. */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  // Date.parse takes "-1" and "7.5" for dates, too.
  const date = /^[A-Z][a-z]{2,8}, /.test(value.trim()) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

function errorIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object((JSON.parse(body) as { readonly error?: unknown }).error) as Record<string, unknown>;
  } catch {
    return {};
  }
}
