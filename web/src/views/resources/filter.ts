import { scalarIn, type NewOperation } from '@knowledge-warehouse/client';

/** The filters with a field in the list. */
const fieldNames = [
  'q',
  'type',
  'status',
  'source_type',
  'is_enabled',
  'waiting',
  'error_code',
  'failed_plugin',
  'created_after',
  'created_before',
  'updated_after',
  'updated_before',
] as const;
export type FilterName = (typeof fieldNames)[number];

type SettingName = 'sort' | 'limit' | 'cursor';

const filterNames: readonly string[] = [...fieldNames, 'sha256', 'connector_id'];
export const isFilter = (name: string): boolean => filterNames.includes(name) || name.startsWith('metadata.');

export type Changes = Partial<Record<FilterName | SettingName | `metadata.${string}`, string>>;

/** The active filters by their API names. Several values of one mean any of them. */
export type Filter = Readonly<Record<string, readonly string[]>>;

/** Returns the value of a filter with exactly one, otherwise ''. */
export function onlyValue(filter: Filter, name: string): string {
  const [value = '', ...more] = filter[name] ?? [];
  return more.length === 0 ? value : '';
}

export const pageSizes = [50, 100, 200, 5_000] as const;
export const newestFirst = '-created_at';

/** Returns the filters in the query of a URL. */
export function filterIn(parameters: URLSearchParams): Filter {
  const names = new Set([...parameters.keys()].filter(isFilter));
  const values = [...names].map(
    (name) => [name, parameters.getAll(name).filter((value) => value !== '')] as const,
  );
  return Object.fromEntries(values.filter(([, given]) => given.length > 0));
}

const booleans = ['is_enabled', 'waiting'];
const metadataName = /^metadata\.([^[]+)(?:\[(gte|lte)\])?$/;

/**
 * Converts the filter for the body of an operation, which must not affect more than the list shows. What a body cannot
 * express is passed on and not left out, so that the API rejects it.
 */
export function toOperationFilter(filter: Filter): NewOperation['filter'] {
  const named = new Map<string, unknown>();
  // Maps, because "__proto__" is a valid key of metadata.
  const equal = new Map<string, unknown>();
  const bounds = new Map<string, object>();
  for (const [name, values] of Object.entries(filter)) {
    const [, key, bound] = metadataName.exec(name) ?? [];
    if (key === undefined)
      named.set(name, oneOrMore(booleans.includes(name) ? values.map(toBoolean) : values));
    else if (bound === undefined) equal.set(key, oneOrMore(values.flatMap(readings)));
    else bounds.set(key, { ...bounds.get(key), [bound]: oneOrMore(values.map(toBound)) });
  }
  const metadata = new Map<string, unknown>([...equal, ...bounds]);
  // A body has no name for a value beside bounds.
  for (const [key, range] of bounds)
    if (equal.has(key)) metadata.set(key, { ...range, equal: equal.get(key) });
  if (metadata.size > 0) named.set('metadata', Object.fromEntries(metadata));
  return named.size === 0 ? { all: true } : Object.fromEntries(named);
}

const oneOrMore = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);

const toBoolean = (text: string): boolean | string =>
  text === 'true' ? true : text === 'false' ? false : text;

/** Returns what a text in the URL matches: itself, and the number, boolean or null that it is. */
function readings(text: string): readonly unknown[] {
  const scalar = scalarIn(text);
  return scalar === undefined ? [text] : [text, scalar];
}

/** A bound in a body is a number or a text, not both. */
function toBound(text: string): number | string {
  const scalar = scalarIn(text);
  return typeof scalar === 'number' ? scalar : text;
}
