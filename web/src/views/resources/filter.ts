import type { NewOperation } from '@knowledge-warehouse/client';

/** The filters with a field in the list. */
export type FilterName =
  | 'q'
  | 'type'
  | 'status'
  | 'source_type'
  | 'is_enabled'
  | 'waiting'
  | 'error_code'
  | 'failed_plugin'
  | 'created_after'
  | 'created_before'
  | 'updated_after'
  | 'updated_before';

type SettingName = 'sort' | 'limit' | 'cursor';

const filterNames: readonly string[] = [
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
  'sha256',
];
export const isFilter = (name: string): boolean => filterNames.includes(name) || name.startsWith('metadata.');

export type Changes = Partial<Record<FilterName | SettingName | `metadata.${string}`, string>>;

/** The active filters by their API names. Several values of one mean any of them. */
export type Filter = Readonly<Record<string, readonly string[]>>;

/** Returns the value of a filter with exactly one, otherwise ''. */
export function onlyValue(filter: Filter, name: string): string {
  const [value = '', ...more] = filter[name] ?? [];
  return more.length === 0 ? value : '';
}

export const pageSizes = [50, 100, 200] as const;
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

/** Converts the filter for the body of an operation. */
export function toOperationFilter(filter: Filter): NewOperation['filter'] {
  const metadata: Record<string, unknown> = {};
  const named: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(filter)) {
    const [, key, bound] = /^metadata\.([^[]+)(?:\[(gte|lte)\])?$/.exec(name) ?? [];
    if (key === undefined) {
      const given = booleans.includes(name) ? values.map((value) => value === 'true') : values;
      named[name] = given.length === 1 ? given[0] : given;
    } else if (bound === undefined) metadata[key] = values.flatMap(readings);
    else {
      const [last] = values.slice(-1);
      metadata[key] = { ...(metadata[key] as object | undefined), [bound]: readings(last ?? '').at(-1) };
    }
  }
  if (Object.keys(metadata).length > 0) named['metadata'] = metadata;
  return Object.keys(named).length === 0 ? { all: true } : named;
}

type Scalar = string | number | boolean | null;

/** Returns what a text in the URL matches: itself, and the number, boolean or null that it parses to. */
function readings(text: string): readonly Scalar[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [text] : [...new Set([text, value as Scalar])];
  } catch {
    return [text];
  }
}
