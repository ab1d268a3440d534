import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { isReader, type ReadingWork } from '../core/reading.js';
import { coreTaskQueue, readingQueues } from '../core/run-protocol.js';
import { childPlaces } from '../plugins/host/run-in-child.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';
import { dataConverter } from '@knowledge-warehouse/plugin/temporal';
import type { Deps } from '../runtime/deps.js';
import { createErrorMapping } from './activity-errors.js';
import { cleanUpActivityType, createBuiltInCleanUp } from './built-in/clean-up.js';
import { createBuiltInActivity } from './built-in/host.js';
import { createInputCheck } from './check-input.js';
import { createActivities } from './index.js';
import { createLogContext } from './log-context.js';

/**
 * How many steps of each kind that read documents are done at once. Short ones take turns in this process. Light ones have a child
 * process of their own beside long documents, and more where these leave some free.
 */
const places: Readonly<Record<ReadingWork, number>> = {
  short: 10,
  light: childPlaces,
  heavy: childPlaces,
};

type Activities = Record<string, (...args: never[]) => Promise<unknown>>;

/** Core's worker: one of Temporal's workers for each of its task queues. */
export interface CoreWorker {
  /** Works until it is shut down. Throws what one of them fails with, once all have ended. */
  run(): Promise<void>;
  /** Has it take nothing more, and end what it does. */
  shutdown(): void;
}

/**
 * Makes Core's worker: its workflows, Core's activities and the built-in plugins. Steps that read documents come from task
 * queues of their own, and from these it takes no more at once than it has child processes for.
 *
 * @param bundles Where the build put the bundle of the workflows, and the one whose workflows are traced.
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
    // It stands in five events of a step that an HTTP worker reports: the SDK's own takes 88 bytes in each.
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
    // Activities get five seconds to end by themselves, then they are interrupted at no cost.
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '7 seconds',
    maxHeartbeatThrottleInterval: '3 seconds',
    defaultHeartbeatThrottleInterval: '3 seconds',
  };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: coreTaskQueue,
      workflowBundle: { codePath },
      activities: { ...createActivities(deps), ...builtIns },
    }),
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
    async run() {
      const ends = await Promise.allSettled(
        workers.map(async (worker) => {
          try {
            await worker.run();
          } finally {
            // One that fails must not leave the others: the process is to be started anew.
            shutdown();
          }
        }),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** Tells workers with the same workflow code from others, in histories and in the Web UI. */
async function readBuildId(codePath: string): Promise<string> {
  const digest = createHash('sha256').update(await readFile(codePath));
  return `kw-${digest.digest('hex').slice(0, 12)}`;
}
