/**
 * Whether a text is an instant as our cursors have it: ISO 8601 in UTC with milliseconds. Years have four digits and are
 * not 0, because PostgreSQL does not support all years of JavaScript.
 */
export function isInstant(text: string): boolean {
  const time = new Date(text);
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
