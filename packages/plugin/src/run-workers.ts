import type { AnyPlugin } from './types.js';
import type * as ActivityWorker from './workers/activity/activity-worker.js';
import type { ActivityWorkerOptions, HttpWorkerOptions } from './workers/options.js';

/**
 * Registers the plugins and executes their steps as a Temporal activity worker until SIGINT, SIGTERM or
 * `options.signal`. Waits while the service or Temporal is unavailable. The next worker restarts steps that are running
 * when this one stops, and no attempt is used up.
 *
 * Throws an Error if Temporal's packages are not installed, a setting is missing or the service refuses a registration.
 * If its Temporal namespace is lost, it throws. End the process then: Temporal's library would keep it alive.
 */
export async function runActivityWorker(
  plugins: readonly AnyPlugin[],
  options: ActivityWorkerOptions = {},
): Promise<void> {
  assertDistinct(plugins);
  const { serveActivities } = await loadActivityWorker();
  await serveActivities(plugins, options);
}

/**
 * Registers the plugins and serves them over HTTP, each below `/{id}`, until SIGINT, SIGTERM or `options.signal`.
 * Verifies the signature of every message. A step waits while `concurrency` others are running; unlike in an activity
 * worker, its `timeout_seconds` include that wait.
 *
 * Throws an Error if a setting is missing, the port is taken, or the service refuses a registration.
 */
export async function runHttpWorker(
  plugins: readonly AnyPlugin[],
  options: HttpWorkerOptions = {},
): Promise<void> {
  assertDistinct(plugins);
  const { serveHttp } = await import('./workers/http/http-worker.js');
  await serveHttp(plugins, options);
}

/** Throws an Error for anything but a list of plugins, and for two with one id, of which only one would get steps. */
function assertDistinct(plugins: readonly AnyPlugin[]): void {
  const given: unknown = plugins;
  if (!Array.isArray(given)) throw new TypeError('A worker needs a list of plugins: [plugin].');
  if (plugins.length === 0) throw new Error('A worker needs at least one plugin.');
  const ids = plugins.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`Two plugins of this worker have the id ${twice}.`);
}

/** Temporal's packages have 40 MB or more of native code: they are installed and loaded only for activity workers. */
async function loadActivityWorker(): Promise<typeof ActivityWorker> {
  try {
    return await import('./workers/activity/activity-worker.js');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@temporalio/')) throw error;
    throw new Error(
      'runActivityWorker needs the Temporal packages. Install them: npm install @temporalio/activity @temporalio/common @temporalio/worker',
      { cause: error },
    );
  }
}
