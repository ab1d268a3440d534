import './quiet-worker.js';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { TestCore } from '../service/core.js';

/**
 * Starts a plugin author's Temporal worker, built only on the SDK, on a separate queue. Returns a function that stops
 * it.
 *
 * @param activities The activities by the names that plugins are registered with.
 */
export async function startAuthorsWorker(
  core: TestCore,
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
