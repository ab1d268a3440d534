import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Worker, type NativeConnection } from '@temporalio/worker';
import { coreTaskQueue } from '../core/run-protocol.js';
import type { AnyPlugin } from '../plugins/sdk/index.js';
import { dataConverter } from '../plugins/sdk/workers/data-converter.js';
import type { Deps } from '../runtime/deps.js';
import { createErrorMapping } from './activity-errors.js';
import { cleanUpActivityType, createBuiltInCleanUp } from './built-in/clean-up.js';
import { createBuiltInActivity } from './built-in/host.js';
import { createInputCheck } from './check-input.js';
import { createActivities } from './index.js';
import { createLogContext } from './log-context.js';

/**
 * Makes Core's worker: its workflows, Core's activities and the built-in plugins.
 *
 * @param bundles Where the build put the bundle of the workflows, and the one whose workflows are traced.
 */
export async function createWorker(
  deps: Deps,
  connection: NativeConnection,
  plugins: readonly AnyPlugin[],
  bundles: { readonly plain: string; readonly traced: string },
): Promise<Worker> {
  const { tracing } = deps;
  const codePath = tracing === null ? bundles.plain : bundles.traced;
  const builtIns = plugins.flatMap((plugin) => {
    const cleanUp = cleanUpActivityType(plugin);
    return [
      [plugin.id, createBuiltInActivity(plugin, deps)] as const,
      ...(cleanUp === null ? [] : [[cleanUp, createBuiltInCleanUp(plugin, deps)] as const]),
    ];
  });
  return await Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue: coreTaskQueue,
    workflowBundle: { codePath },
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
    activities: { ...createActivities(deps), ...(Object.fromEntries(builtIns) as Record<string, unknown>) },
    // Activities get five seconds to end by themselves, then they are interrupted at no cost.
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '7 seconds',
    maxHeartbeatThrottleInterval: '3 seconds',
    defaultHeartbeatThrottleInterval: '3 seconds',
  });
}

/** Tells workers with the same workflow code from others, in histories and in the Web UI. */
async function readBuildId(codePath: string): Promise<string> {
  const digest = createHash('sha256').update(await readFile(codePath));
  return `kw-${digest.digest('hex').slice(0, 12)}`;
}
