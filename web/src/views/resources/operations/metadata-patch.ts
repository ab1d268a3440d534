import { scalarIn, type NewOperation } from '@knowledge-warehouse/client';
import { metadataKey } from '../../../parts/metadata/metadata-key.js';

/** A key and its value as typed. */
export interface Pair {
  readonly key: string;
  readonly value: string;
}

export type Patch = NonNullable<NewOperation['metadata']>;

/** Returns the merge patch for typed pairs, in which null removes a key; a text: what is wrong with them. */
export function toPatch(pairs: readonly Pair[]): Patch | string {
  const patch = new Map<string, unknown>();
  for (const { key: typed, value } of pairs) {
    const key = typed.trim();
    if (!metadataKey.test(key)) return 'A key has 1 to 64 letters, digits, “_”, “.” and “-”.';
    if (patch.has(key)) return `The key “${key}” occurs twice.`;
    patch.set(key, readValue(value.trim()));
  }
  return Object.fromEntries(patch) as Patch;
}

/**
 * Reads a number, boolean, quoted text or list of texts as JSON, and anything else as text. An empty text removes the
 * key.
 */
function readValue(text: string): unknown {
  if (text === '') return null;
  const scalar = scalarIn(text);
  if (scalar !== undefined) return scalar;
  try {
    const value: unknown = JSON.parse(text);
    const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
    return typeof value === 'string' || isTexts ? value : text;
  } catch {
    return text;
  }
}
