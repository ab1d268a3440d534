/**
 * JSON kept in text columns. Unlike jsonb, text keeps NUL, lone surrogates and the order of keys:
 * JSON.stringify writes the first two as escapes.
 */
export function toJsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** What `toJsonText` wrote, or null. */
export function fromJsonText<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
