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

/** Codes of Node and, as names of errors, of S3 servers. */
const fullCodes = new Set<unknown>([
  'ENOSPC',
  'EDQUOT',
  'InsufficientStorageSpace',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  'XMinioStorageFull',
]);

function isDiskFull(cause: unknown): boolean {
  const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return fullCodes.has(code) || fullCodes.has(name);
}

/** The status of an S3 server's response that an error describes. */
export function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
}

/** Whether an S3 server refused the service's key, which only a person can correct. */
function isAccessRefused(cause: unknown): boolean {
  const { name = '' } = (cause ?? {}) as { readonly name?: string };
  const status = statusOf(cause);
  if (status === 400) return name === 'ExpiredToken' || name === 'InvalidToken';
  // The other two are about the clock and about one object.
  const isAboutKey = name !== 'RequestTimeTooSkewed' && name !== 'InvalidObjectState';
  return (status === 401 || status === 403) && isAboutKey;
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
