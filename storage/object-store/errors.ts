import { ServiceError } from '../../core/errors.js';

/** The error for a store that is unreachable or rejects requests. `cause` holds the reason, only for the log. */
export function storageUnavailable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const message = isDiskFull(cause)
    ? 'The object store is full.'
    : isAccessRefused(cause)
      ? 'The object store refuses access.'
      : 'The object store cannot be used at the moment.';
  return new ServiceError('STORAGE_UNAVAILABLE', message, {}, { cause });
}

/** Whether a store failed because it is full. */
export function isFull(error: unknown): boolean {
  return error instanceof ServiceError && isDiskFull(error.cause);
}

function isDiskFull(cause: unknown): boolean {
  const { code } = (cause ?? {}) as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether an S3 server refused the service's key, which only a person can correct. */
function isAccessRefused(cause: unknown): boolean {
  const { $metadata } = (cause ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode === 401 || $metadata?.httpStatusCode === 403;
}

/** The error for a key without an object. The key is in `cause`, which is logged but not sent to the client. */
export function objectNotFound(key: string, cause?: unknown): ServiceError {
  const about = new Error(`There is no stored object ${key}.`, { cause });
  return new ServiceError('NOT_FOUND', 'The stored object is missing.', {}, { cause: about });
}

/** The error for a range that starts past the last byte. */
export function rangePastEnd(key: string, start: number): RangeError {
  const cause = new Error(`The stored object ${key} is too short.`);
  return new RangeError(`Byte ${start} is past the end of the stored object.`, { cause });
}
