import { validationFailed } from '../../core/errors.js';

/**
 * Converts a valid RFC 3339 date and time to ISO 8601 in UTC with milliseconds. Rounds up to the next millisecond: rows
 * have no finer times, so comparisons give the same result. Throws VALIDATION_FAILED for a time that does not exist,
 * such as a leap second, and for the year 0, which PostgreSQL does not support.
 */
export function readInstant(text: string, path: string): string {
  const time = new Date(text.toUpperCase().replace(' ', 'T')).getTime();
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  const instant = new Date(isBetween ? time + 1 : time);
  if (Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999) {
    throw validationFailed({ path, message: 'must be an instant such as 2025-11-20T09:30:00Z' });
  }
  return instant.toISOString();
}
