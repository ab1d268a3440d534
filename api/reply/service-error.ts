import { ServiceError } from '../../core/errors.js';
import type { Logger } from '../../runtime/logging/logger.js';
import { asDatabaseError } from '../../storage/database/connection.js';

/** Converts a thrown value to an error that clients may see. An unexpected error is logged and shown as INTERNAL. */
export function toServiceError(log: Logger, thrown: unknown): ServiceError {
  const error = asDatabaseError(thrown);
  const shown =
    error instanceof ServiceError
      ? error
      : new ServiceError('INTERNAL', 'Something went wrong on our side.', {}, { cause: thrown });
  if (shown.code === 'INTERNAL') log.error({ err: thrown }, 'a request failed');
  else if (shown.status >= 500) log.warn({ err: thrown }, 'a request could not be served');
  return shown;
}
