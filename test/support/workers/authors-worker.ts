import './quiet-worker.js';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { TemporalConfig } from '../../../runtime/settings/config.js';

/**
 * Starts a plugin author's Temporal worker, built only on the SDK, on a separate queue. Returns a function that stops
 * it.
 *
 * @param activities The activities by the names that plugins are registered with.
 */
export async function startAuthorsWorker(
  core: { readonly deps: { readonly config: { readonly temporal: TemporalConfig } } },
  taskQueue: string,
  activities: Readonly<Record<string, (message: never) => unknown>>,
  options: Partial<WorkerOptions> = {},
): Promise<() => Promise<void>> {
  const { address, namespace } = core.deps.config.temporal;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    activities,
    shutdownGraceTime: 100,
    ...options,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}
