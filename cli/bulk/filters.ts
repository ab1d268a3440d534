import type { Command } from 'commander';

import { scalarIn, type NewOperation, type ResourceQuery } from '@knowledge-warehouse/client';
import { UsageError } from '../exit.js';
import {
  addFilterOptions,
  toQuery,
  type FilterFlags as OneFilterFlags,
} from '../resources/filter-options.js';

/** Options that select many resources. */
export interface FilterFlags extends OneFilterFlags {
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export type Filter = NonNullable<NewOperation['filter']>;

/** Adds the filters of lists to a command, with --all, --dry-run and --yes. */
export function addBulkOptions(command: Command): Command {
  command
    .optionsGroup('To select many resources, instead of names:')
    .option('--all', 'every resource, or every one that the other options select');
  return addFilterOptions(command)
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('-y, --yes', 'do not ask for confirmation');
}

/** Returns the filter given by the options; null if resources are named. Throws UsageError. */
export function readFilter(named: readonly string[], flags: FilterFlags): Filter | null {
  // Every name contains an empty text, such as the value of a variable that a script forgot to set.
  if (flags.q === '')
    throw new UsageError('-q must not be empty. To select every resource, use --all alone.');
  const filter = toBody(toQuery(flags));
  const chooses = flags.all === true || Object.keys(filter).length > 0;
  if (chooses && named.length > 0)
    throw new UsageError('Name resources or select them by options, not both.');
  if (!chooses && named.length === 0)
    throw new UsageError('Name the resources, or select them by --type, --status, --metadata … or --all.');
  if (!chooses && flags.dryRun === true)
    throw new UsageError('--dry-run needs options that select resources, not names.');
  if (!chooses) return null;
  return Object.keys(filter).length === 0 ? { all: true } : filter;
}

/** Converts a query's filter for a request body: the same names, with all metadata conditions in one object. */
function toBody({ metadata, ...rest }: ResourceQuery): Filter {
  if (metadata === undefined) return rest;
  const conditions: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(metadata)) {
    const [, key = '', bound] = /^metadata\.(.+?)(?:\[(gte|lte)\])?$/.exec(name) ?? [];
    const values = [value].flat();
    if (bound === undefined) conditions[key] = [...new Set(values.flatMap(readingsOf))];
    else conditions[key] = { ...(conditions[key] as object | undefined), [bound]: boundOf(values) };
  }
  return { ...rest, metadata: conditions } as Filter;
}

type Scalar = string | number | boolean | null;

/** The values that a text matches: the text itself, and the number, boolean or null that it parses to. */
const readingsOf = (text: string): readonly Scalar[] => {
  const value = scalarIn(text);
  return value === undefined ? [text] : [text, value];
};

/** Returns a bound: a number for comparing numbers, any other text for comparing texts. Throws UsageError. */
function boundOf(values: readonly string[]): string | number {
  const [text = ''] = values;
  if (values.length > 1) throw new UsageError('Give each bound of a --metadata KEY only once.');
  const value = scalarIn(text);
  return typeof value === 'number' ? value : text;
}
