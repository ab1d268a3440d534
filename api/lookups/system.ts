import { statfs } from 'node:fs/promises';
import type { FromSchema } from 'json-schema-to-ts';
import pLimit from 'p-limit';
import { coreQueues, polledQueue } from '../../core/runs/run-protocol.js';
import type { CheckParts } from '../../runtime/check-parts.js';
import type { Deps } from '../../runtime/deps.js';
import {
  listLongWaits,
  listOpenCleanUpsByPlugin,
  listRouting,
  readDatabaseFacts,
  type RoutedPlugin,
} from '../../storage/system.js';
import { version } from '../openapi/version.js';
import type { systemSchema } from '../schemas/system.js';
import { describeCleanUps } from './polling-messages.js';
import { shareAnswer } from './share-answer.js';

/** The state of the system without its addresses. */
export type System = Omit<FromSchema<typeof systemSchema>, 'addresses'>;
type Queue = System['queues'][number];

export type ReadSystem = () => Promise<System>;

type SystemDeps = Pick<Deps, 'db' | 'workflows' | 'clock' | 'config'> & { readonly checkParts: CheckParts };

/**
 * How long an answer is kept, so that Temporal is asked once for many open pages. A part that is down makes an answer
 * slow, and should not be shown as down for long once it is back.
 */
const sharing = { freshMs: 5_000, restFactor: 1 };
const patienceMs = 1_000;
const askedAtOnce = 8;
const mostRows = 500;

/** Reads the system's state once for all concurrent or closely following requests. */
export function createSystem(deps: SystemDeps): ReadSystem {
  return shareAnswer(() => readSystem(deps), sharing);
}

async function readSystem(deps: SystemDeps): Promise<System> {
  const { db, workflows, clock } = deps;
  const [database, plugins, waits, cleanUps, parts, temporalVersion, disk] = await Promise.all([
    readDatabaseFacts(db),
    listRouting(db, mostRows),
    listLongWaits(db, mostRows),
    listOpenCleanUpsByPlugin(db, mostRows),
    deps.checkParts(),
    workflows.serverVersion(patienceMs),
    readDisk(deps),
  ]);
  const queues = await readQueues(deps, plugins, parts.temporal.status === 'ok');
  return {
    at: new Date(clock.now()).toISOString(),
    versions: {
      service: version,
      node: process.versions.node,
      postgresql: database.version,
      temporal: temporalVersion,
    },
    checks: parts,
    queues,
    waits: waits.map(({ oldest_since, ...wait }) => ({ ...wait, oldest_since: oldest_since.toISOString() })),
    clean_ups: cleanUps.map(({ oldest_at, last_error, ...open }) => ({
      ...open,
      oldest_at: oldest_at.toISOString(),
      last_error: describeWith(queues, open.plugin_id, last_error),
    })),
    database_bytes: database.size_bytes,
    disk,
  };
}

function describeWith(queues: readonly Queue[], pluginId: string, lastError: string | null): string | null {
  const queue = queues.find(({ plugins }) => plugins.some(({ plugin_id }) => plugin_id === pluginId));
  if (queue === undefined || queue.pollers === null) return lastError;
  const { task_queue, pollers, last_polled_at: last } = queue;
  return describeCleanUps(lastError, task_queue, {
    pollers,
    lastPolledAt: last === null ? null : new Date(last),
  });
}

/** Returns the service's own task queues and those of activity plugins, with their pollers. */
async function readQueues(
  { workflows }: SystemDeps,
  plugins: readonly RoutedPlugin[],
  isTemporalThere: boolean,
): Promise<Queue[]> {
  const queues = new Map<string, { plugin_id: string; is_active: boolean }[]>(
    coreQueues.map((name) => [name, []]),
  );
  for (const { id, task_queue, is_active } of plugins) {
    if (task_queue === null) continue;
    const users = queues.get(task_queue) ?? [];
    queues.set(task_queue, users);
    users.push({ plugin_id: id, is_active });
  }
  const limit = pLimit(askedAtOnce);
  return await Promise.all(
    [...queues].map(([task_queue, users]) =>
      limit(async () => {
        const polling = isTemporalThere
          ? await workflows.readPolling(polledQueue(task_queue), patienceMs)
          : null;
        return {
          task_queue,
          built_in: coreQueues.includes(task_queue),
          plugins: users,
          pollers: polling?.pollers ?? null,
          last_polled_at: polling?.lastPolledAt?.toISOString() ?? null,
        };
      }),
    ),
  );
}

/** Returns the state of the disk that holds the process's data; null if there is none. */
async function readDisk({ config }: SystemDeps): Promise<System['disk']> {
  try {
    const { bsize, blocks, bavail } = await statfs(
      config.s3 === null ? config.objectDirectory : config.dataDir,
    );
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}
