import type { ValidationFinding } from './report.js';

/**
 * Returns a finding for the first value that `JSON.stringify` would change: NaN, an infinite number, undefined in an
 * array, a function, bytes, or an object that would become `{}`, such as a Map or a promise. Null: there is none. The
 * content must have no cycles; properties that are undefined are omitted, as usual.
 */
export function findChangedByJson(content: unknown): ValidationFinding | null {
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: content }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next;
    const kind = changedKind(value);
    if (kind !== null) return { path, message: `is ${kind}, which JSON cannot represent` };
    if (typeof value !== 'object' || value === null || hasToJson(value)) continue;
    for (const [key, item] of Object.entries(value)) {
      // A path for each of a million numbers would cost more than all the rest.
      if (typeof item === 'string' || typeof item === 'boolean' || item === null || Number.isFinite(item))
        continue;
      if (item === undefined && !Array.isArray(value)) continue;
      open.push({ path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: item });
    }
  }
  return null;
}

function changedKind(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (value === undefined) return 'undefined';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasToJson(value)) return null;
  // An object without a prototype has no constructor.
  const { name } = (value as { constructor?: { readonly name: string } }).constructor ?? Object;
  if (ArrayBuffer.isView(value) || (name !== 'Object' && Object.keys(value).length === 0)) return `a ${name}`;
  return null;
}

const hasToJson = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function';
