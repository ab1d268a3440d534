import { errors } from 'undici';

/** What went wrong with a request to another server. */
export type OutgoingErrorCode =
  /** The name does not resolve, the host does not answer, or its TLS certificate is not trusted. */
  | 'CONNECT_FAILED'
  /** Connecting, the answer's head, its body or all of it took too long. */
  | 'TIMED_OUT'
  /** The answer has more bytes than allowed. */
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  /** The answer has another status than 2xx; `status` says which. */
  | 'HTTP_STATUS'
  /** The connection broke off in the middle of the answer, or the answer is no proper HTTP. */
  | 'BAD_RESPONSE';

/**
 * A request to another server that failed for a reason other than our own rules. The message may be shown to users:
 * it names the host and the kind of failure, no address that the host resolves to and nothing the host sent.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  /** With HTTP_STATUS alone. */
  readonly status: number | undefined;

  constructor(
    readonly code: OutgoingErrorCode,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

const brokenOff = ['UND_ERR_SOCKET', 'UND_ERR_HEADERS_OVERFLOW', 'ECONNRESET', 'EPIPE'];

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** What a failure before the head of the answer means. */
export function failedToAnswer(url: URL, cause: unknown): OutgoingError {
  const code = codeOf(cause);
  if (code.endsWith('_TIMEOUT') || code === 'ETIMEDOUT') {
    return new OutgoingError('TIMED_OUT', `${url.host} did not answer in time.`, { cause });
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new OutgoingError('CONNECT_FAILED', `The name ${url.hostname} does not resolve (${code}).`, {
      cause,
    });
  }
  if (cause instanceof errors.HTTPParserError || brokenOff.includes(code)) {
    return new OutgoingError('BAD_RESPONSE', `${url.host} did not respond with valid HTTP.`, { cause });
  }
  return new OutgoingError('CONNECT_FAILED', `No connection to ${url.host}${code && ` (${code})`}.`, {
    cause,
  });
}

/** What a failure in the middle of the answer's body means. */
export function failedInBody(url: URL, cause: unknown): OutgoingError {
  if (codeOf(cause).endsWith('_TIMEOUT')) {
    return new OutgoingError('TIMED_OUT', `${url.host} stopped sending.`, { cause });
  }
  return new OutgoingError('BAD_RESPONSE', `The response of ${url.host} broke off or cannot be decoded.`, {
    cause,
  });
}
