import { errors } from 'undici';
import { messageOf } from '../../core/errors.js';

/** Why a request to another server failed. */
export type OutgoingErrorCode =
  /** The name does not resolve, the host does not answer, or its TLS certificate is not trusted. */
  | 'CONNECT_FAILED'
  /** Connecting, the response's head, its body or the whole request took too long. */
  | 'TIMED_OUT'
  /** The response exceeds the size limit. */
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  /** The response has no whole document, as its `status` says. */
  | 'HTTP_STATUS'
  /** The connection broke in the middle of the response, or the response is invalid HTTP. */
  | 'BAD_RESPONSE';

/**
 * A failed request to another server, unless our own rules forbade it. The message may be shown to users: it contains
 * the host and the kind of failure, but no address that the host resolves to and, except for the name of an encoding,
 * nothing the host sent.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  /** Only with HTTP_STATUS. */
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

/** Sites with many cookies or long policies send more than Node's limit of 16 KiB. */
export const maxHeaderKib = 128;

/** undici asserts that a status is at least 100. */
const invalid = ['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'];

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** undici has one code for closed connections and for some invalid responses. */
function isClosed(code: string, cause: unknown): boolean {
  return (
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    (code === 'UND_ERR_SOCKET' && /closed$/.test(messageOf(cause)))
  );
}

/** Converts a failure before the head of the response. */
export function failedToAnswer(url: URL, cause: unknown): OutgoingError {
  const code = codeOf(cause);
  const failed = (kind: OutgoingErrorCode, message: string): OutgoingError =>
    new OutgoingError(kind, message, { cause });
  if (code.endsWith('_TIMEOUT') || code === 'ETIMEDOUT')
    return failed('TIMED_OUT', `${url.host} did not answer in time.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failed('CONNECT_FAILED', `The name ${url.hostname} does not resolve (${code}).`);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return failed('BAD_RESPONSE', `${url.host} responded with more than ${maxHeaderKib} KiB of headers.`);
  if (isClosed(code, cause))
    return failed('BAD_RESPONSE', `${url.host} closed the connection without a response.`);
  if (cause instanceof errors.HTTPParserError || invalid.includes(code))
    return failed('BAD_RESPONSE', `${url.host} did not respond with valid HTTP.`);
  return failed('CONNECT_FAILED', `Cannot connect to ${url.host}${code && ` (${code})`}.`);
}

/** Converts a failure during the body of the response. */
export function failedInBody(url: URL, cause: unknown): OutgoingError {
  if (codeOf(cause).endsWith('_TIMEOUT'))
    return new OutgoingError('TIMED_OUT', `${url.host} stopped sending.`, { cause });
  const message = `The response of ${url.host} was cut off or cannot be decoded.`;
  return new OutgoingError('BAD_RESPONSE', message, { cause });
}
