import { renderJson } from '../../core/json/raw-json.js';

/**
 * JSON kept in text columns. Unlike jsonb, text keeps NUL, lone surrogates and the order of keys:
 * JSON.stringify writes the first two as escapes.
 */
export function toJsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : renderJson(value);
}

/** The value written by `toJsonText`, or null. */
export function fromJsonText<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

/** A row that PostgreSQL returned as JSON (`json_agg`): its times are strings. */
export type JsonRow<Row> = {
  readonly [Key in keyof Row]: Row[Key] extends Date
    ? string
    : Row[Key] extends Date | null
      ? string | null
      : Row[Key];
};

/** A time of a `JsonRow`. */
export function fromJsonTime(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
