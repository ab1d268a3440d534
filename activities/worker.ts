import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { isReader, type ReadingWork } from '../core/documents/reading.js';
import { callingQueues, coreTaskQueue, readingQueues } from '../core/runs/run-protocol.js';
import { childPlaces } from '../plugins/host/run-in-child.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';
import { runTemporalWorker } from '@knowledge-warehouse/plugin/host';
import { dataConverter } from '@knowledge-warehouse/plugin/temporal';
import type { Deps } from '../runtime/deps.js';
import { createErrorMapping } from './activity-errors.js';
import { cleanUpActivityType, createBuiltInCleanUp } from './built-in/clean-up.js';
import { createBuiltInActivity } from './built-in/host.js';
import { createInputCheck } from './worker/check-input.js';
import { createActivities } from './index.js';
import { createLogContext } from './worker/log-context.js';

/**
 * How many steps of each reading kind run at once. Short ones run in this process. Light ones have one child process to
 * themselves, and also use idle ones of heavy steps.
 */
const places: Readonly<Record<ReadingWork, number>> = {
  short: 10,
  light: childPlaces,
  heavy: childPlaces,
};

/**
 * How many activities of each kind wait for other servers at once. A call to an HTTP plugin takes the least memory, and
 * may wait the longest.
 */
const calls: Readonly<Record<keyof typeof callingQueues, number>> = {
  plugins: 300,
  messages: 100,
  sources: 100,
  services: 100,
};

type Activities = Record<string, (...args: never[]) => Promise<unknown>>;

/** Core's worker: one Temporal worker per task queue. */
export interface CoreWorker {
  /**
   * Runs until shutdown. If a Temporal worker fails, calls `onFailure` with the error, stops the others, and throws the
   * error once all have ended.
   */
  run(onFailure?: (error: unknown) => void): Promise<void>;
  /** Stops polling and finishes current work. */
  shutdown(): void;
}

/**
 * Creates Core's worker with its workflows, Core's activities and the built-in plugins. Steps that read
 * documents have their own task queues, from which the worker takes no more tasks than it has child
 * processes, and so have activities that wait for other servers.
 *
 * @param bundles Paths of the built workflow bundle and of its traced variant.
 */
export async function createWorker(
  deps: Deps,
  connection: NativeConnection,
  plugins: readonly AnyPlugin[],
  bundles: { readonly plain: string; readonly traced: string },
): Promise<CoreWorker> {
  const { tracing } = deps;
  const codePath = tracing === null ? bundles.plain : bundles.traced;
  const builtIns: Activities = {};
  const readers: Activities = {};
  for (const plugin of plugins) {
    const activity = createBuiltInActivity(plugin, deps);
    builtIns[plugin.id] = activity;
    if (isReader({ task_queue: coreTaskQueue, activity_type: plugin.id })) readers[plugin.id] = activity;
    const cleanUp = cleanUpActivityType(plugin);
    if (cleanUp !== null) builtIns[cleanUp] = createBuiltInCleanUp(plugin, deps);
  }
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace: deps.config.temporal.namespace,
    dataConverter,
    // The version is repeated in five events of a step reported by an HTTP worker; the SDK's default takes 88 bytes
    // in each.
    workerDeploymentOptions: {
      version: { deploymentName: 'kw', buildId: await readBuildId(codePath) },
      useWorkerVersioning: false,
    },
    interceptors: {
      activity: [
        createLogContext(deps.logFields),
        createErrorMapping(deps.log),
        createInputCheck(plugins),
        ...(tracing?.activityInterceptors ?? []),
      ],
    },
    sinks: tracing?.sinks ?? {},
    // Activities get five seconds to finish, then they are interrupted without using up an attempt. They report that,
    // which takes seconds on a busy machine.
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '15 seconds',
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
  };
  const own: Activities = { ...createActivities(deps) };
  const callers: Readonly<Record<keyof typeof callingQueues, Activities>> = {
    plugins: own,
    messages: own,
    sources: own,
    // A worker must have activities.
    services: Object.keys(builtIns).length === 0 ? own : builtIns,
  };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: coreTaskQueue,
      workflowBundle: { codePath },
      // All of them: before decision 185, every step was scheduled here.
      activities: { ...own, ...builtIns },
    }),
    ...Object.entries(callingQueues).map(([kind, taskQueue]) =>
      Worker.create({
        ...common,
        taskQueue,
        activities: callers[kind as keyof typeof callingQueues],
        maxConcurrentActivityTaskExecutions: calls[kind as keyof typeof callingQueues],
        maxConcurrentActivityTaskPolls: 2,
      }),
    ),
    ...(Object.keys(readers).length === 0 ? [] : Object.entries(readingQueues)).map(([work, taskQueue]) =>
      Worker.create({
        ...common,
        taskQueue,
        activities: readers,
        maxConcurrentActivityTaskExecutions: places[work as ReadingWork],
        maxConcurrentActivityTaskPolls: 1,
      }),
    ),
  ]);
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    shutdown,
    async run(onFailure) {
      const ends = await Promise.allSettled(
        workers.map(async (worker) => {
          try {
            await runTemporalWorker(worker);
          } catch (error) {
            // The process must be restarted.
            onFailure?.(error);
            shutdown();
            throw error;
          }
        }),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** Identifies workers with the same workflow code, in histories and in the Web UI. */
async function readBuildId(codePath: string): Promise<string> {
  const digest = createHash('sha256').update(await readFile(codePath));
  return `kw-${digest.digest('hex').slice(0, 12)}`;
}
