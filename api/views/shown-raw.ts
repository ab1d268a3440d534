import type { RawJson } from '../../core/raw-json.js';

/** JSON that an answer holds as its text: to who writes the answer down it is the value itself. */
export function shownRaw(value: RawJson): Record<string, unknown>;
export function shownRaw(value: RawJson | null): Record<string, unknown> | null;
export function shownRaw(value: RawJson | null): Record<string, unknown> | null {
  return value as Record<string, unknown> | null;
}
