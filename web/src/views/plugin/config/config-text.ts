import { isObject } from '@knowledge-warehouse/plugin/protocol';
import type { JsonObject } from '../../../api/client.js';

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
