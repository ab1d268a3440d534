import { validationFailed } from '../../core/errors.js';

const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Converts a valid RFC 3339 date and time to ISO 8601 in UTC with milliseconds. Rounds up to the next millisecond, if
 * the year 9999 has one: rows have no finer times, so comparisons give the same result. A leap second is read as the
 * second after it. Throws VALIDATION_FAILED for a time that does not exist, and for the year 0, which PostgreSQL does
 * not support.
 */
export function readInstant(text: string, path: string): string {
  const isLeap = text.slice(17, 19) === '60';
  const plain = isLeap ? `${text.slice(0, 17)}59${text.slice(19)}` : text;
  const time = new Date(plain.toUpperCase().replace(' ', 'T'));
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) {
    throw validationFailed({ path, message: 'must be a time such as 2025-11-20T09:30:00Z' });
  }
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  const instant = time.getTime() + (isLeap ? 1_000 : 0) + (isBetween ? 1 : 0);
  return new Date(Math.min(instant, latest)).toISOString();
}
