import { InvalidArgumentError, Option, type Command } from 'commander';
import { resourceStatuses, type ResourceQuery, type ResourceStatus } from '@knowledge-warehouse/client';
import { readInstant } from '../options.js';

const sorts = ['created_at', 'name', 'updated_at', 'size_bytes'].flatMap((name) => [name, `-${name}`]);

/** The parsed options of a list. */
export interface FilterFlags {
  readonly q?: string;
  readonly type?: string[];
  readonly status?: ResourceStatus[];
  readonly sourceType?: ('UPLOAD' | 'URL')[];
  readonly enabled?: boolean;
  readonly connector?: string[];
  readonly sha256?: string[];
  readonly metadata?: Readonly<Record<string, string | string[]>>;
  readonly errorCode?: string[];
  readonly failedPlugin?: string[];
  readonly waiting?: boolean;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
  readonly sort?: ResourceQuery['sort'];
}

/** Adds the filters of lists to a command. A repeatable option matches any of its values. */
export function addFilterOptions(command: Command): Command {
  const many = (flags: string, description: string, choices?: readonly string[]): Option =>
    repeatable(choices ? new Option(flags, description).choices(choices) : new Option(flags, description));
  return command
    .option('-q, --q <text>', 'resources whose names contain this text')
    .addOption(many('--type <type>', 'resources of this type; may be repeated'))
    .addOption(many('--status <status>', 'resources in this status; may be repeated', resourceStatuses))
    .addOption(many('--source-type <kind>', 'files or URLs', ['UPLOAD', 'URL']))
    .option('--enabled', 'enabled resources')
    .option('--no-enabled', 'disabled resources')
    .option(
      '--metadata <condition>',
      'KEY=VALUE, KEY>=VALUE or KEY<=VALUE; may be repeated: all keys must match, and any VALUE of a key',
      readCondition,
    )
    .addOption(many('--error-code <code>', 'FAILED with this code; may be repeated'))
    .addOption(many('--failed-plugin <plugin>', 'FAILED at a step of this plugin; may be repeated'))
    .option('--waiting', 'resources that have waited for a worker, a callback or a retry for more than 10 s')
    .addOption(many('--sha256 <hash>', 'resources whose source has this hash; may be repeated'))
    .addOption(many('--connector <id>', 'resources with this connector_id; may be repeated'))
    .option(
      '--created-after <time>',
      'registered at this time or later, such as 2025-11-20T09:30:00Z',
      readInstant,
    )
    .option('--created-before <time>', 'registered before this time', readInstant)
    .option('--updated-after <time>', 'changed at this time or later', readInstant)
    .option('--updated-before <time>', 'changed before this time', readInstant);
}

/** Adds the order of a list to a command. */
export function addSortOption(command: Command): Command {
  return command.addOption(new Option('--sort <order>', 'the order; default: -created_at').choices(sorts));
}

/** The query that the options ask for. */
export function toQuery(flags: FilterFlags): ResourceQuery {
  const { sourceType, enabled, connector, errorCode, failedPlugin } = flags;
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = flags;
  const { q, type, status, sha256, metadata, waiting, sort } = flags;
  const query = {
    ...{ q, type, status, sha256, metadata, waiting, sort },
    source_type: sourceType,
    is_enabled: enabled === undefined ? undefined : [enabled],
    connector_id: connector,
    error_code: errorCode,
    failed_plugin: failedPlugin,
    ...{ created_after: createdAfter, created_before: createdBefore },
    ...{ updated_after: updatedAfter, updated_before: updatedBefore },
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** A repeatable option, whose values form a list. */
export function repeatable(option: Option): Option {
  const parse = option.parseArg;
  return option.argParser<string[]>((text, before: string[] | undefined) => {
    // The original parser returns the text unchanged and rejects invalid choices.
    parse?.(text, undefined);
    return [...(before ?? []), text];
  });
}

const operators = { '=': '', '>=': '[gte]', '<=': '[lte]' } as const;

function readCondition(
  text: string,
  before: Readonly<Record<string, string | string[]>> = {},
): Readonly<Record<string, string | string[]>> {
  const [, key, operator = '=', value = ''] = /^([^=<>]+)(>=|<=|=)([\s\S]*)$/.exec(text) ?? [];
  if (key === undefined) throw new InvalidArgumentError('It must be KEY=VALUE, KEY>=VALUE or KEY<=VALUE.');
  const name = `metadata.${key}${operators[operator as keyof typeof operators]}`;
  const others = Object.hasOwn(before, name) ? [before[name] ?? []].flat() : [];
  return { ...before, [name]: others.length === 0 ? value : [...others, value] };
}
