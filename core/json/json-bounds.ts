import type { ValidationFinding } from '../errors.js';
import { pointerSegment } from './json-pointer.js';

/** The maximum nesting depth of JSON values from outside: configs, contents, metadata. */
export const deepestJson = 64;

/**
 * The maximum depth at which a value of any form occurs in a body: an artifact's content in a report's list.
 */
const wrapping = 4;

/** The maximum nesting depth of a whole message. */
export const deepestMessage = deepestJson + wrapping;

/** The finding for a message nested deeper than `deepestMessage`. */
export const tooDeep: ValidationFinding = {
  path: '',
  message: `is nested deeper than ${deepestMessage} levels`,
};

/** Whether a value is nested deeper than a message may be. Iterative; bytes count as one value. */
export function isTooDeep(message: unknown): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: message, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (depth > deepestMessage) return true;
    for (const item of Object.values(value)) {
      if (typeof item === 'object' && item !== null) open.push({ value: item, depth: depth + 1 });
    }
  }
  return false;
}

/** A value in a message, and the one that contains it. */
interface Place {
  readonly value: unknown;
  readonly key: string | number;
  readonly within: Place | null;
}

/**
 * The finding for a number that JSON.parse read as infinite, such as 1e400; empty if there is none. Iterative, and reads
 * each value once.
 */
export function findInfinite(body: unknown): ValidationFinding[] {
  const open: Place[] = [{ value: body, key: '', within: null }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value } = next;
    if (value === Infinity || value === -Infinity)
      return [{ path: pointerTo(next), message: 'must be within the range of a double' }];
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    const members = value as Readonly<Record<string | number, unknown>>;
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      const member = members[key];
      if (typeof member === 'object' || member === Infinity || member === -Infinity)
        open.push({ value: member, key, within: next });
    }
  }
  return [];
}

function pointerTo(place: Place): string {
  const segments: string[] = [];
  for (let at = place; at.within !== null; at = at.within) segments.push(pointerSegment(String(at.key)));
  return segments
    .reverse()
    .map((segment) => `/${segment}`)
    .join('');
}

/** Whether a value contains more than `most` values. Stops counting there. */
export function holdsMoreThan(most: number, value: unknown): boolean {
  const open: unknown[] = [value];
  let left = most;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ((left -= 1) < 0) return true;
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next)) continue;
    for (const item of Array.isArray(next) ? (next as unknown[]) : Object.values(next)) {
      open.push(item ?? null);
      if (open.length > left) return true;
    }
  }
  return false;
}
