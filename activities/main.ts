import { lookup } from 'node:dns/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Runtime, type RuntimeOptions } from '@temporalio/worker';
import { messageOf } from '../core/errors.js';
import { coreTaskQueue } from '../core/runs/run-protocol.js';
import { SecretRefusedError } from '../core/secrets/secret-fingerprint.js';
import { createBuiltInPlugins, preloadShortTextReader, startReaderAhead } from '../plugins/built-in.js';
import { ConfigError, loadConfig, readEnvironment } from '../runtime/settings/config.js';
import { warnOfUnknownSettings } from '../runtime/settings/unknown-settings.js';
import { workInBackground } from '../runtime/background-priority.js';
import { createDeps } from '../runtime/deps.js';
import { splitAddress } from '../runtime/metrics/server.js';
import type { Logger } from '../runtime/logging/logger.js';
import { prepareLance } from '../runtime/search/lance/load.js';
import { startSweeper } from '../runtime/sweeps/sweeper.js';
import { tellParent } from '../runtime/tell-parent.js';
import { connectWorkerTemporal } from '../runtime/temporal/connection.js';
import { explainMissingSchema } from '../storage/database/connection.js';
import { seedPipelines } from '../storage/pipelines/seed.js';
import { registerBuiltIns } from './built-in/register.js';
import { createSdkLogger } from './worker/sdk-log.js';
import { startIndexer } from './search/indexer.js';
import { serveProbes, type WorkerPhase } from './worker/probes.js';
import { untilDone } from './worker/until-done.js';
import { createWorker } from './worker.js';

const beside = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const bundles = { plain: beside('workflow-bundle.js'), traced: beside('workflow-bundle-traced.js') };
const stopping = new AbortController();
const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
/** Time limit for a whole stop, and for closing resources after the activities have ended. */
const [stoppingMs, closingMs] = [20_000, 5_000];
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => stopping.abort());
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), stoppingMs).unref());

workInBackground();

// A stop ends the open polls only two seconds later: a poll that ends just when a busy server answers it loses its task,
// which another worker gets after the heartbeat timeout. Under load, most polls get a task before that. The SDK's core
// only reads this variable, and not if the server itself ends the polls of a stopping worker.
// oxlint-disable-next-line no-restricted-properties -- a variable of the SDK, which is set here
process.env['TEMPORAL_POLL_SHUTDOWN_INTERRUPT_WAIT_MS'] ??= '2000';
// LanceDB reads its settings on first load, by a plugin or for search.
prepareLance();

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof SecretRefusedError)) throw error;
  // Pending work of Temporal's native library would keep the process alive.
  process.stderr.write(`${error.message}\n`, () => process.exit(1));
} finally {
  // Listening for `disconnect` keeps the channel open, and with it the process.
  if (process.connected) process.disconnect();
}

async function main(): Promise<void> {
  const env = readEnvironment();
  const deps = await createDeps(loadConfig(env, 'worker'), 'worker');
  for (const warning of warnOfUnknownSettings(env)) deps.log.warn(warning);
  await installRuntime(deps.log, deps.config.temporalMetricsAddress);
  const plugins = createBuiltInPlugins({ vectorFolder: join(deps.config.dataDir, 'vectors') });
  let phase = 'starting' as WorkerPhase;
  stopping.signal.addEventListener('abort', () => (phase = 'stopping'));
  const servers = await serveProbes(deps, () => phase);
  try {
    const refusals = await deps.findRefusals();
    if (refusals.length > 0) throw new ConfigError(refusals);
    const waitingFor = (server: string): Parameters<typeof untilDone>[2] => ({
      log: deps.log,
      stopping: stopping.signal,
      onWaiting: () => tellParent({ type: 'waiting', for: server }),
    });
    const register = async (): Promise<void> => {
      await deps.secretGuard.ensure();
      await registerBuiltIns(deps, plugins);
      if (deps.config.seed) await seedPipelines(deps.db);
      await deps.clock.compare();
    };
    await untilDone('register the built-in plugins', register, waitingFor('the database'));
    const { temporal } = deps.config;
    const [connection] = await Promise.all([
      untilDone('connect to Temporal', () => connectWorkerTemporal(temporal), waitingFor('Temporal')),
      Promise.race([prepare(deps.log, preloadShortTextReader), stopped]),
    ]);
    if (connection === null) {
      // Otherwise only closing a connection ends the SDK's native library, which keeps the process alive.
      await Runtime.instance().shutdown();
      return;
    }
    const worker = await createWorker(deps, connection, plugins, bundles);
    const { sweepIntervalSeconds } = deps.config;
    const sweeper = startSweeper(deps.sweeps, sweepIntervalSeconds, deps.log, explainMissingSchema);
    const indexer = startIndexer(deps);
    const stop = (): void => {
      void sweeper.stop();
      void indexer.stop();
      worker.shutdown();
    };
    stopping.signal.addEventListener('abort', stop);
    const running = worker.run((error) => {
      // Closing may take so long that a timer ends the process.
      process.exitCode = 1;
      deps.log.error({ err: error }, 'the worker failed');
      stopping.abort();
    });
    void prepare(deps.log, startReaderAhead);
    if (stopping.signal.aborted) stop();
    else phase = 'working';
    tellParent({ type: 'ready' });
    deps.log.info({ task_queue: coreTaskQueue }, 'worker is ready');
    try {
      await running;
    } finally {
      // Messages that are still being sent to an unresponsive Temporal are in the outbox too.
      setTimeout(() => process.exit(), closingMs).unref();
      await Promise.all([sweeper.stop(), indexer.stop()]);
      // A failed worker of the SDK never releases its connection.
      await connection.close().catch(() => undefined);
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await deps.close();
  }
}

/** Prepares for the first document. If that fails, the first step that reads says why. */
async function prepare(log: Logger, work: () => Promise<void>): Promise<void> {
  await work().catch((err: unknown) =>
    log.warn({ err }, 'the worker could not prepare for reading documents'),
  );
}

/**
 * Redirects the SDK's log to the process's own log and serves the SDK's metrics if configured. Throws
 * ConfigError on failure.
 */
async function installRuntime(log: Logger, metricsAddress: string | null): Promise<void> {
  try {
    Runtime.install(runtimeOptions(log, metricsAddress === null ? null : await resolve(metricsAddress)));
  } catch (error) {
    const problem = `KW_TEMPORAL_METRICS_ADDRESS: cannot listen on ${metricsAddress}: ${messageOf(error)}.`;
    throw metricsAddress === null ? error : new ConfigError([problem]);
  }
}

/** Replaces the name in host:port with its address: the SDK accepts only addresses. */
async function resolve(hostAndPort: string): Promise<string> {
  const { host, port } = splitAddress(hostAndPort);
  const { address, family } = await lookup(host);
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

function runtimeOptions(log: Logger, metricsAddress: string | null): RuntimeOptions {
  return {
    logger: createSdkLogger(log),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(metricsAddress !== null && {
        metrics: {
          prometheus: {
            bindAddress: metricsAddress,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
  };
}
