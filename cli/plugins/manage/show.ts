import { onService, type CommandContext } from '../../command.js';
import type { JsonFlags } from '../../service/find-service.js';
import { listAll, type ListedPlugin, type Plugin } from '@knowledge-warehouse/client';
import { applySchema, isObject, type Applying } from '@knowledge-warehouse/plugin/protocol';
import { factLines, tableLines, type Column } from '../../terminal/table.js';
import { plain } from '../../terminal/text.js';
import { ago } from '../../terminal/units.js';

/** `kw plugins ls`. */
export const list = onService(async (context, flags: JsonFlags) => {
  const { client, output, paint } = context;
  const plugins = await listAll((query) => client.GET('/plugins', { params: { query } }));
  const columns: readonly Column<ListedPlugin>[] = [
    { title: 'ID', value: ({ id }) => id },
    { title: 'KIND', value: ({ kind, built_in }) => (built_in ? 'built-in' : kind) },
    { title: 'VERSION', value: ({ version }) => version },
    {
      title: 'STATE',
      value: ({ is_active }) => (is_active ? 'active' : 'inactive'),
      paint: (cell, { is_active }) => paint(is_active ? 'green' : 'yellow', cell),
    },
    { title: 'DELIVERIES', value: (plugin) => deliveriesOf(plugin) ?? '' },
    { title: 'SEEN', value: ({ last_seen_at: at }) => (at === null ? '' : output.time(at)) },
    { title: 'PRODUCES', value: ({ produces }) => produces.join(', ') },
  ];
  output.result(plugins, flags, () => tableLines(columns, plugins, context));
});

/** `kw plugins show`. */
export const show = onService(async (context, id: string, flags: JsonFlags) => {
  const { value: body } = await context.client.GET('/plugins/{id}', { params: { path: { id } } });
  context.output.result(body, flags, () => toLines(body, context));
});

function toLines(plugin: Plugin, { paint }: CommandContext): string[] {
  const facts: readonly (readonly [string, string | null])[] = [
    ['name', `${plain(plugin.name)} ${plain(plugin.version)}`],
    ['about', plugin.description === '' ? null : plain(plugin.description)],
    ['state', plugin.is_active ? 'active' : paint('yellow', 'inactive: new steps fail')],
    ['endpoint', plugin.endpoint],
    ['task queue', plugin.task_queue],
    ['activity', plugin.activity_type],
    ['workers', workersOf(plugin)],
    ['deliveries', deliveriesOf(plugin)],
    ['failure', failureOf(plugin)],
    ['reads', readsOf(plugin)],
    ['produces', plugin.produces.length === 0 ? null : plugin.produces.join(', ')],
    ['clean-ups', cleanUpsOf(plugin)],
    ['config', configOf(plugin)],
  ];
  return [paint('bold', plugin.id), ...factLines(facts, paint)];
}

/** Formats the config without its secrets: terminals are shared and recorded. `kw plugins config get` prints them. */
function configOf({ config, config_schema: schema }: Plugin): string {
  const text = JSON.stringify(masked(config, applySchema(schema)), null, 2);
  return text.split('\n').map(plain).join('\n');
}

function masked(value: unknown, place: Applying): unknown {
  if (place === null) return '(hidden)';
  if (Array.isArray(value)) return value.map((item, at) => masked(item, place.item(at)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, masked(member, place.property(key))]),
  );
}

/** Describes whether a worker can run a step now. */
function workersOf({ pollers, last_polled_at: polled, last_seen_at: seen }: Plugin): string | null {
  const last = seen === null ? '' : `; last seen ${ago(seen)}`;
  if (pollers === null) return seen === null ? null : `last seen ${ago(seen)}`;
  const asked = polled === null ? '' : `; last polled ${ago(polled)}`;
  return pollers === 0
    ? `no worker polls: its steps wait${asked}${last}`
    : `${pollers} polling${asked}${last}`;
}

/** Describes the outcomes of an HTTP plugin's steps in the last hour. */
function deliveriesOf({ deliveries }: ListedPlugin | Plugin): string | null {
  if (deliveries === null) return null;
  const { succeeded, failed } = deliveries;
  if (succeeded + failed === 0) return 'none in the last hour';
  return failed === 0 ? `${succeeded} succeeded` : `${failed} of ${succeeded + failed} failed`;
}

function failureOf({ deliveries }: Plugin): string | null {
  const failure = deliveries?.last_failure ?? null;
  return failure && plain(`${failure.code}, ${ago(failure.at)}: ${failure.message}`);
}

function cleanUpsOf({ pending_clean_ups: pending }: Plugin): string | null {
  if (pending.count === 0) return null;
  return `${pending.count} left${pending.last_error === null ? '' : `: ${plain(pending.last_error)}`}`;
}

function readsOf({ reads }: Plugin): string | null {
  if (reads === null) return null;
  return reads.length === 0 ? 'the source' : reads.join(', ');
}
