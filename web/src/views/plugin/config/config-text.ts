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
