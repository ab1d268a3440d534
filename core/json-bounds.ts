import type { ValidationFinding } from './errors.js';

/** Objects and arrays in each other that a JSON value of somebody else's may have: a config, a content, metadata. */
export const deepestJson = 64;

/** What may be of any form stands at most four levels deep in a body: the content of an artifact of a report's list. */
const wrapping = 4;

/** Objects and arrays in each other that a whole message may have. */
export const deepestMessage = deepestJson + wrapping;

/** What a message says that is nested deeper than `deepestMessage`. */
export const tooDeep: ValidationFinding = {
  path: '',
  message: `is nested deeper than ${deepestMessage} levels`,
};

/** Whether a value is nested deeper than a message may be. Walks it without recursion, bytes as one value. */
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

/** Numbers that JSON.parse took as infinite, such as 1e400, as findings. Walks the value without recursion. */
export function findInfinite(body: unknown): ValidationFinding[] {
  // Only where there is one is it worth to write down the way to each value.
  if (!holdsInfinite(body)) return [];
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: body }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next;
    if (value === Infinity || value === -Infinity) {
      return [{ path, message: 'must be a number that a double can hold' }];
    }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'object' ? holdsInfinite(item) : isInfinite(item)) {
        open.push({ path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: item });
        break;
      }
    }
  }
  return [];
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

/** Whether there are more than `most` values in a value; looks at no more of them. */
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
