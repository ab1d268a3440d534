/**
 * Parses Retry-After, a number of seconds or an HTTP date (RFC 9110 §10.2.3), into seconds; null if there is none.
 *
 * @param now Milliseconds since 1970, by the clock that a date is compared with.
 */
export function readRetryAfter(value: string | null | undefined, now: number): number | null {
  if (value === null || value === undefined) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
