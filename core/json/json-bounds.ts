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

/** Findings for numbers that JSON.parse read as infinite, such as 1e400. Iterative. */
export function findInfinite(body: unknown): ValidationFinding[] {
  if (!holdsInfinite(body)) return [];
  let [path, value] = ['', body];
  while (!isInfinite(value)) {
    const members = Object.entries(value as Record<string, unknown>);
    const [key, item] = members.find(([, each]) => holdsInfinite(each)) as [string, unknown];
    path += `/${pointerSegment(key)}`;
    value = item;
  }
  return [{ path, message: 'must be within the range of a double' }];
}

const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity;

function holdsInfinite(body: unknown): boolean {
  const open: unknown[] = [body];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isInfinite(value)) return true;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
      if (isInfinite(item)) return true;
      else if (typeof item === 'object' && item !== null) open.push(item);
  }
  return false;
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
