import type { ValidationFinding } from './report.js';

/** The maximum nesting depth of an artifact's content and metadata. */
export const deepest = 64;

/**
 * Returns a finding for the first value that `JSON.stringify` would change or refuse: NaN, an infinite number, a bigint,
 * undefined in an array, a function, an invalid date, bytes, or an object that would become `{}`, such as a Map or a
 * promise; or for one that is nested too deeply. Null: there is none. Properties that are undefined are omitted, as usual.
 *
 * @param seen Needed for a content that may have cycles, or objects that occur in many places: each is searched once.
 */
export function findUnfitForJson(content: unknown, seen?: Set<object>): ValidationFinding | null {
  const open: { readonly path: string; readonly value: unknown; readonly depth: number }[] = [
    { path: '', value: content, depth: 1 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value, depth } = next;
    const kind = changedKind(value);
    if (kind !== null) return { path, message: `is ${kind}, which JSON cannot represent` };
    if (typeof value !== 'object' || value === null || hasToJson(value)) continue;
    if (seen?.has(value) === true) continue;
    seen?.add(value);
    if (depth > deepest) return { path: '', message: `is nested deeper than ${deepest} levels` };
    const visit = (key: string | number, item: unknown): void => {
      if (isPlain(item)) return;
      const segment = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
      open.push({ path: `${path}/${segment}`, value: item, depth: depth + 1 });
    };
    if (Array.isArray(value)) for (let at = 0; at < value.length; at++) visit(at, value[at]);
    else for (const [key, item] of Object.entries(value)) if (item !== undefined) visit(key, item);
  }
  return null;
}

/** Whether a value is written as it is: most values are, and need no path. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);

/** Describes a value that `JSON.stringify` would change or refuse, such as "a Promise"; null for any other. */
export function changedKind(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (value === undefined) return 'undefined';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value === 'bigint') return hasToJson(value) ? null : 'a bigint';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid date';
  if (hasToJson(value)) return null;
  // An object without a prototype has no constructor.
  const { name } = (value as { constructor?: { readonly name: string } }).constructor ?? Object;
  if (ArrayBuffer.isView(value) || (name !== 'Object' && Object.keys(value).length === 0))
    return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
  return null;
}

const hasToJson = (value: object | bigint): boolean =>
  typeof (value as { readonly toJSON?: unknown }).toJSON === 'function';
