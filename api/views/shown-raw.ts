import type { RawJson } from '../../core/json/raw-json.js';

/** Includes JSON in a response as text; the serializer treats it as the value itself. */
export function shownRaw(value: RawJson): Record<string, unknown>;
export function shownRaw(value: RawJson | null): Record<string, unknown> | null;
export function shownRaw(value: RawJson | null): Record<string, unknown> | null {
  return value as Record<string, unknown> | null;
}
