import { InvalidArgumentError, Option, type Command } from 'commander';

import { resourceStatuses, type NewOperation, type ResourceStatus } from '@knowledge-warehouse/client';
import { UsageError } from '../exit.js';

/** Options by which commands choose many resources. */
export interface FilterFlags {
  readonly all?: boolean;
  readonly q?: string;
  readonly type?: readonly string[];
  readonly status?: readonly ResourceStatus[];
  readonly metadata?: readonly string[];
  readonly errorCode?: readonly string[];
  readonly failedPlugin?: readonly string[];
  readonly createdBefore?: string;
  readonly createdAfter?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export type Filter = NonNullable<NewOperation['filter']>;

/** The values of an option that is given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

function collectStatus(value: string, before: readonly string[] = []): readonly string[] {
  if (!resourceStatuses.some((status) => status === value))
    throw new InvalidArgumentError(`Allowed choices are ${resourceStatuses.join(', ')}.`);
  return collect(value, before);
}

const heading = 'Many at once, in place of names (give an option again for any of several values):';

/** Adds these options to a command. */
export function choosesMany(command: Command): Command {
  const add = (flags: string, description: string): Option => {
    const option = new Option(flags, description).helpGroup(heading);
    command.addOption(option);
    return option;
  };
  add('--all', 'every resource, or every one that the other options choose');
  add('-q, --q <text>', 'whose names contain this');
  add('--type <type>', 'of this type').argParser(collect);
  add('--status <status>', 'in this status').choices(resourceStatuses).argParser(collectStatus);
  add('--metadata <key=value>', 'whose metadata has this value, or contains it').argParser(collect);
  add('--error-code <code>', 'FAILED with this code').argParser(collect);
  add('--failed-plugin <id>', 'FAILED at this plugin').argParser(collect);
  add('--created-after <time>', 'registered at this time or later');
  add('--created-before <time>', 'registered before this time');
  add('--dry-run', 'only say what would be done');
  add('-y, --yes', 'do not ask');
  return command;
}

/** The filter that the options make; null: resources are named. Throws UsageError. */
export function readFilter(named: readonly string[], flags: FilterFlags): Filter | null {
  const filter = toFilter(flags);
  const chooses = flags.all === true || Object.keys(filter).length > 0;
  if (chooses && named.length > 0)
    throw new UsageError('Name resources, or choose them by options: not both.');
  if (!chooses && named.length === 0)
    throw new UsageError('Name the resources, or choose them by --type, --status, --metadata … or --all.');
  if (!chooses && flags.dryRun === true)
    throw new UsageError('--dry-run goes with resources that are chosen by options.');
  if (!chooses) return null;
  return Object.keys(filter).length === 0 ? { all: true } : filter;
}

function toFilter(flags: FilterFlags): Filter {
  const { q, type, status, metadata, errorCode, failedPlugin, createdBefore, createdAfter } = flags;
  return {
    ...(q !== undefined && { q }),
    ...(type !== undefined && { type: [...type] }),
    ...(status !== undefined && { status: [...status] }),
    ...(metadata !== undefined && { metadata: readConditions(metadata) }),
    ...(errorCode !== undefined && { error_code: [...errorCode] }),
    ...(failedPlugin !== undefined && { failed_plugin: [...failedPlugin] }),
    ...(createdAfter !== undefined && { created_after: createdAfter }),
    ...(createdBefore !== undefined && { created_before: createdBefore }),
  };
}

type Scalar = string | number | boolean | null;

/** `KEY=VALUE` each; several of one key mean any of them. A value that parses as JSON matches both that and the text. */
function readConditions(given: readonly string[]): Record<string, Scalar[]> {
  const conditions: Record<string, Scalar[]> = {};
  for (const text of given) {
    const [key, value] = splitPair(text, '--metadata');
    const read = readScalar(value);
    conditions[key] = [...(conditions[key] ?? []), value, ...(read === value ? [] : [read])];
  }
  return conditions;
}

/** The two parts of `KEY=VALUE`. Throws UsageError. */
export function splitPair(text: string, what: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${what} takes KEY=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The number, boolean or null that a text reads as; else the text. */
export function readScalar(text: string): Scalar {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  } catch {
    // A text that is no JSON means itself.
  }
  return text;
}
