import { setTimeout as pause } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, Worker, type LogLevel } from '@temporalio/worker';
import { messageOf } from '../../protocol/text.js';
import type { AnyPlugin, PluginLog } from '../../types.js';
import { createActivity, createCleanUpActivity, longestHeartbeatMs, type ActivityHost } from './activity.js';
import { createActivityOrigins } from './activity-origin.js';
import { createCoreClient } from '../core/core-client.js';
import { createWorkerLog } from '../log.js';
import type { ActivityWorkerOptions } from '../options.js';
import { dataConverter } from '../data-converter.js';
import { createCallCore, registerPlugin } from '../core/register.js';
import { runTemporalWorker } from '../run-temporal-worker.js';
import { requireCore, requireTemporal, setPollShutdownWait, type TemporalAddress } from '../settings.js';
import { stopSignal } from '../stop-signals.js';

/** See `runActivityWorker`. */
export async function serveActivities(
  plugins: readonly AnyPlugin[],
  options: ActivityWorkerOptions,
): Promise<void> {
  const log = options.log ?? createWorkerLog();
  const core = requireCore(options);
  const temporal = requireTemporal(options);
  setPollShutdownWait(graceMs(options));
  installLogger(log);
  const stop = stopSignal(options.signal);
  const client = createCoreClient();
  try {
    const call = createCallCore(client, core, stop.signal, log);
    for (const plugin of plugins) {
      await registerPlugin(call, plugin, {
        kind: 'activity',
        task_queue: queueOf(plugin, options),
        activity_type: plugin.id,
        cleanup_activity_type: plugin.cleanup === undefined ? null : cleanUpType(plugin),
      });
    }
    const connection = await connect(temporal, stop.signal, log);
    try {
      const host = { client, core, log, origins: createActivityOrigins() };
      const workers = await createWorkers(plugins, options, host, connection, temporal);
      await runWorkers(workers, stop.signal, log);
    } finally {
      // A failed worker of the SDK never releases its connection.
      await connection.close().catch(() => undefined);
    }
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
  } finally {
    stop.dispose();
    await client.close();
  }
  log.info({}, 'the worker has stopped');
}

const graceMs = ({ graceSeconds = 5 }: ActivityWorkerOptions): number => Math.max(1, graceSeconds) * 1_000;

const queueOf = (plugin: AnyPlugin, { taskQueue }: ActivityWorkerOptions): string =>
  taskQueue ?? `kw-plugin-${plugin.id}`;

const cleanUpType = (plugin: AnyPlugin): string => `${plugin.id}.cleanup`;

/** Creates one worker for each task queue. */
function createWorkers(
  plugins: readonly AnyPlugin[],
  options: ActivityWorkerOptions,
  host: ActivityHost,
  connection: NativeConnection,
  { namespace }: TemporalAddress,
): Promise<Worker[]> {
  const queues = new Set(plugins.map((plugin) => queueOf(plugin, options)));
  return Promise.all(
    [...queues].map((taskQueue) =>
      Worker.create({
        connection,
        namespace,
        taskQueue,
        dataConverter,
        activities: activitiesOf(
          plugins.filter((plugin) => queueOf(plugin, options) === taskQueue),
          host,
        ),
        interceptors: { activity: [host.origins.interceptor] },
        maxConcurrentActivityTaskExecutions: options.concurrency ?? 10,
        // Longer than polls stay open: one of them would receive an interrupted task again.
        shutdownGraceTime: graceMs(options),
        // A cancellation arrives with the response to a heartbeat, which the SDK delays by this long.
        defaultHeartbeatThrottleInterval: longestHeartbeatMs,
        maxHeartbeatThrottleInterval: longestHeartbeatMs,
      }),
    ),
  );
}

function activitiesOf(plugins: readonly AnyPlugin[], host: ActivityHost): object {
  const activities: Record<string, object> = {};
  for (const plugin of plugins) {
    activities[plugin.id] = createActivity(plugin, host);
    if (plugin.cleanup) activities[cleanUpType(plugin)] = createCleanUpActivity(plugin, host);
  }
  return activities;
}

/** Runs workers until the signal aborts or one of them fails; then stops all. Throws the error of the failed worker. */
async function runWorkers(workers: readonly Worker[], signal: AbortSignal, log: PluginLog): Promise<void> {
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const running = workers.map(runTemporalWorker);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  log.info({ task_queues: workers.map(({ options }) => options.taskQueue) }, 'the worker is ready');
  try {
    await Promise.all(running);
  } finally {
    stop();
    await Promise.allSettled(running);
    signal.removeEventListener('abort', stop);
  }
}

/** Connects to Temporal, with retries while it is unavailable. Throws the signal's reason if it aborts. */
async function connect(
  temporal: TemporalAddress,
  signal: AbortSignal,
  log: PluginLog,
): Promise<NativeConnection> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await NativeConnection.connect(temporal.connection);
    } catch (error) {
      log.warn({}, `Temporal cannot be reached: ${messageOf(error)}; retrying`);
      await pause(Math.min(10_000, 250 * 2 ** tries), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Sends the log of Temporal's SDK to the worker's own log, unless the process already has a runtime. */
function installLogger(log: PluginLog): void {
  const levels: Partial<Record<LogLevel, 'info' | 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' };
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) =>
    log[levels[level] ?? 'info']({ ...meta, sdk: true }, message),
  );
  try {
    Runtime.install({
      logger,
      shutdownSignals: [],
      telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
    });
  } catch (error) {
    log.info({}, `the SDK keeps its own log: ${messageOf(error)}`);
  }
}
