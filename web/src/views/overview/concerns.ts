import type { ListedPlugin, System } from '@knowledge-warehouse/client';
import { formatBytes, formatDuration, plural } from '../../parts/format.js';
import { healthOf } from '../../parts/status/plugin-health.js';

/** Something that needs attention, and its location. */
export interface Concern {
  readonly key: string;
  readonly tone: 'amber' | 'red';
  readonly text: string;
  /** Details, or what to do. */
  readonly detail: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

const stuckMs = 10 * 60_000;
const gigabyte = 1e9;
const scarceShare = 0.1;
const scarceBytes = 20 * gigabyte;

const parts = { postgresql: 'PostgreSQL', temporal: 'Temporal', object_store: 'The object store' } as const;
const awaited: Readonly<Record<string, string>> = {
  worker: 'a worker',
  callback: 'the worker’s report',
  retry: 'the next attempt',
};

/** Returns everything that needs attention except failures, worst first. */
export function concernsOf(
  system: System,
  plugins: readonly ListedPlugin[],
  now: number,
): readonly Concern[] {
  const without = queuesWithoutWorkers(system);
  const concerns = [
    ...partsAway(system),
    ...without.map((queue) => missingWorker(queue, system, now)),
    ...failingDeliveries(plugins, now),
    ...longWaits(system, without, now),
    ...stuckCleanUps(system, now),
    ...scarceDisk(system),
  ];
  return concerns.toSorted((one, other) => Number(other.tone === 'red') - Number(one.tone === 'red'));
}

const partsAway = ({ checks }: System): Concern[] =>
  Object.entries(parts).flatMap(([name, label]) => {
    const { status, message = '' } = checks[name as keyof typeof parts];
    return status === 'ok'
      ? []
      : [{ key: name, tone: 'red', text: `${label} cannot be used`, detail: message, link: null }];
  });

type Queue = System['queues'][number];

/** Returns queues without a worker that steps may be sent to; those of the service, which share a worker, as one. */
function queuesWithoutWorkers({ queues }: System): readonly Queue[] {
  const without = queues.filter(
    ({ pollers, built_in, plugins }) =>
      pollers === 0 && (built_in || plugins.some(({ is_active }) => is_active)),
  );
  const [first, ...more] = without.filter(({ built_in }) => built_in);
  const others = without.filter(({ built_in }) => !built_in);
  if (first === undefined) return others;
  return [{ ...first, plugins: [first, ...more].flatMap(({ plugins }) => plugins) }, ...others];
}

function missingWorker({ task_queue, built_in, plugins }: Queue, { waits }: System, now: number): Concern {
  const ids = plugins.map(({ plugin_id }) => plugin_id);
  const held = waits.filter(({ plugin_id, kind }) => kind === 'worker' && ids.includes(plugin_id));
  const count = held.reduce((sum, wait) => sum + wait.count, 0);
  const who = built_in ? 'the service itself' : ids.join(', ');
  const what = built_in ? 'Start `kw worker`.' : `Start a worker on the task queue “${task_queue}”.`;
  const since = Math.min(...held.map(({ oldest_since }) => Date.parse(oldest_since)));
  return {
    key: `queue ${task_queue}`,
    tone: 'amber',
    text: `No worker for ${who}`,
    detail:
      count === 0
        ? `Steps will wait. ${what}`
        : `${plural(count, 'resource')} ${count === 1 ? 'waits' : 'wait'}, the longest for ${formatDuration(now - since)}. ${what}`,
    link:
      count > 0
        ? { href: '/resources?waiting=true', label: 'Show waiting resources' }
        : ids[0] === undefined
          ? null
          : { href: `/plugins/${ids[0]}`, label: 'Show the plugin' },
  };
}

/** Returns HTTP workers whose deliveries fail. */
const failingDeliveries = (plugins: readonly ListedPlugin[], now: number): Concern[] =>
  plugins.flatMap((plugin) => {
    const { tone, text, advice = '' } = healthOf(plugin, now);
    return plugin.kind === 'http' && plugin.is_active && tone === 'amber'
      ? [
          {
            key: `plugin ${plugin.id}`,
            tone,
            text: `${plugin.id}: ${text.toLowerCase()}`,
            detail: advice,
            link: { href: `/plugins/${plugin.id}`, label: 'Show the plugin' },
          },
        ]
      : [];
  });

/** Returns waits for reasons other than a missing worker. */
function longWaits({ waits }: System, without: readonly Queue[], now: number): Concern[] {
  const missing = new Set(without.flatMap(({ plugins }) => plugins.map(({ plugin_id }) => plugin_id)));
  return waits
    .filter(({ kind, plugin_id }) => kind !== 'worker' || !missing.has(plugin_id))
    .map(({ plugin_id, kind, count, oldest_since }) => ({
      key: `wait ${plugin_id} ${kind}`,
      tone: 'amber',
      text: `${plural(count, 'resource')} ${count === 1 ? 'waits' : 'wait'} at ${plugin_id} for ${awaited[kind] ?? kind}`,
      detail: `The longest for ${formatDuration(now - Date.parse(oldest_since))}.`,
      link: { href: '/resources?waiting=true', label: 'Show waiting resources' },
    }));
}

const stuckCleanUps = ({ clean_ups }: System, now: number): Concern[] =>
  clean_ups
    .filter(({ oldest_at }) => now - Date.parse(oldest_at) > stuckMs)
    .map(({ plugin_id, count, oldest_at, last_error }) => ({
      key: `clean-up ${plugin_id}`,
      tone: 'amber',
      text: `${plural(count, 'clean-up')} of ${plugin_id} ${count === 1 ? 'is' : 'are'} stuck`,
      detail: `The oldest for ${formatDuration(now - Date.parse(oldest_at))}. ${last_error ?? 'No attempt yet.'}`,
      link: { href: `/plugins/${plugin_id}`, label: 'Show the plugin' },
    }));

function scarceDisk({ disk }: System): Concern[] {
  if (disk === null || disk.free_bytes > Math.min(scarceBytes, disk.total_bytes * scarceShare)) return [];
  return [
    {
      key: 'disk',
      tone: disk.free_bytes < gigabyte ? 'red' : 'amber',
      text: `${formatBytes(disk.free_bytes)} of disk space left`,
      detail: `Of ${formatBytes(disk.total_bytes)}. When it is full, uploads and runs fail until you free space.`,
      link: { href: '/system', label: 'Show the system' },
    },
  ];
}
