import { validationFailed } from '../../core/errors.js';

/**
 * An RFC 3339 date and time, whose form is checked already, as ISO 8601 in UTC with milliseconds. What lies between two
 * milliseconds becomes the later one: rows have no finer times, so a comparison with either gives the same. Throws
 * VALIDATION_FAILED for a time that does not exist, such as a leap second, and for the year 0, which PostgreSQL does not know.
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
