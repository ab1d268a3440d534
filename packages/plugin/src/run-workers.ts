import type { AnyPlugin } from './types.js';
import type * as ActivityWorker from './workers/activity-worker.js';
import type { ActivityWorkerOptions, HttpWorkerOptions } from './workers/options.js';

/**
 * Registers the plugins and works on their steps as a Temporal activity worker, until SIGINT, SIGTERM or
 * `options.signal`. While the service or Temporal is away it waits. Steps that are at work when it stops are done anew
 * by the next worker, at no cost of an attempt.
 *
 * Throws an Error when Temporal's packages are not installed, a setting is missing or the service refuses a registration.
 */
export async function runActivityWorker(
  plugins: readonly AnyPlugin[],
  options: ActivityWorkerOptions = {},
): Promise<void> {
  const { serveActivities } = await loadActivityWorker();
  await serveActivities(plugins, options);
}

/**
 * Serves the plugins over HTTP, each below `/{id}`, and registers them, until SIGINT, SIGTERM or `options.signal`.
 * Every message's signature is checked. A step that comes while `concurrency` others are at work waits for its turn;
 * its `timeout_seconds` run meanwhile, which those of an activity worker do not.
 *
 * Throws an Error when a setting is missing, the port is taken, or the service refuses a registration.
 */
export async function runHttpWorker(
  plugins: readonly AnyPlugin[],
  options: HttpWorkerOptions = {},
): Promise<void> {
  const { serveHttp } = await import('./workers/http-worker.js');
  await serveHttp(plugins, options);
}

/** Temporal's packages have native code of 40 MB and more: they are installed, and loaded, only for activity workers. */
async function loadActivityWorker(): Promise<typeof ActivityWorker> {
  try {
    return await import('./workers/activity-worker.js');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@temporalio/')) throw error;
    throw new Error(
      'runActivityWorker needs the Temporal packages. Install them: npm install @temporalio/activity @temporalio/common @temporalio/worker',
      { cause: error },
    );
  }
}
