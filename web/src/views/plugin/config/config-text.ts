import type { JsonObject } from '../../../api/client.js';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the object in a text, or returns why it has none. */
export function readConfig(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'A config is a JSON object: { … }.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const writeConfig = (config: JsonObject): string => JSON.stringify(config, null, 2);

/**
 * Returns a form's value without unset parts: undefined members, and objects that become empty and were not empty
 * before. The service then uses the plugin's default.
 */
export function withoutUnset(value: unknown, before: unknown): unknown {
  if (Array.isArray(value)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    return value.map((item, at) => withoutUnset(item, old[at]) ?? (isObject(item) ? {} : null));
  }
  if (!isObject(value)) return value;
  const old = isObject(before) ? before : {};
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutUnset(member, old[key])] as const)
    .filter(([, member]) => member !== undefined);
  const wasEmpty = isObject(before) && Object.keys(before).length === 0;
  return members.length > 0 || wasEmpty ? Object.fromEntries(members) : undefined;
}
