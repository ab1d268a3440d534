import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SecretRefusedError } from '../core/secrets/secret-fingerprint.js';
import { ConfigError, loadConfig, localUrl, readEnvironment } from '../runtime/settings/config.js';
import { explainListenError } from '../runtime/settings/listen-error.js';
import { warnOfUnknownSettings } from '../runtime/settings/unknown-settings.js';
import { createDeps, type Deps } from '../runtime/deps.js';
import { createSilentWorkersSweep } from './attempts/silent-workers.js';
import { createWaitSweep, liveStepsOf } from './lookups/wait-sweep.js';
import { startSweeper } from '../runtime/sweeps/sweeper.js';
import { tellParent } from '../runtime/tell-parent.js';
import { explainMissingSchema } from '../storage/database/connection.js';
import { createApp } from './app.js';
import { closeServer, createHttpServer, listen } from './server/http-server.js';

/** The output of the web build, next to this file in dist/. */
const webFolder = fileURLToPath(new URL('../web', import.meta.url));
/** Milliseconds for closing the remaining parts after the grace period. */
const closingMs = 2_000;

/** Aborted by SIGTERM from a process manager: first let requests be routed elsewhere. */
const leaving = new AbortController();
/** Aborted by Ctrl-C or when the parent exits: wait only for running requests. */
const stopping = new AbortController();
process.on('SIGTERM', () => leaving.abort());
for (const event of ['SIGINT', 'disconnect'] as const) process.on(event, () => stopping.abort());

try {
  await main();
} catch (error) {
  const line = explain(error);
  if (line === null) throw error;
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
} finally {
  // The channel to the parent would keep the process alive.
  if (process.connected) process.disconnect();
}

async function main(): Promise<void> {
  const env = readEnvironment();
  const deps = await createDeps(loadConfig(env, 'api'), 'api');
  for (const warning of warnOfUnknownSettings(env)) deps.log.warn(warning);
  try {
    await serve(deps);
  } finally {
    await deps.close();
  }
}

async function serve(deps: Deps): Promise<void> {
  const { host, port, sweepIntervalSeconds, drainSeconds } = deps.config;
  const graceMs = deps.config.shutdownGraceSeconds * 1000;
  // The process starts even if a dependency is down. It exits if the dependency rejects the settings, because it would
  // reject them later too.
  const refusals = await deps.findRefusals();
  if (refusals.length > 0) throw new ConfigError(refusals);
  // The check runs again before the database is used.
  await deps.secretGuard.ensure().catch((error: unknown) => {
    if (error instanceof SecretRefusedError) throw error;
  });
  void deps.secretGuard.refused.then(({ message }) => {
    deps.log.fatal(message);
    process.exitCode = 1;
    stopping.abort();
  });
  const handle = createApp(deps, { webFolder, leaving: leaving.signal }).callback();
  const atWork = new Set<Promise<void>>();
  const server = createHttpServer((request, response) => {
    const work = handle(request, response).finally(() => atWork.delete(work));
    atWork.add(work);
  });
  await listen(server, host, port);
  const waits = createWaitSweep(deps.db, liveStepsOf(deps));
  const silentWorkers = createSilentWorkersSweep(deps.db, deps.log);
  const sweeper = startSweeper(
    [silentWorkers, ...deps.sweeps, waits],
    sweepIntervalSeconds,
    deps.log,
    explainMissingSchema,
  );
  const url = localUrl(host, port);
  tellParent({ type: 'ready', url });
  deps.log.info({ url }, 'API is ready');
  await aborted(AbortSignal.any([leaving.signal, stopping.signal]));
  leaving.abort();
  deps.log.info('API is stopping');
  await pause(drainSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
  // A request that an unresponsive Temporal still holds is also in the outbox.
  setTimeout(() => process.exit(), graceMs + closingMs).unref();
  await Promise.all([deps.events.close(), closeServer(server, graceMs), sweeper.stop()]);
  // An interrupted upload leaves an object that must be removed.
  await Promise.allSettled(atWork);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Returns the reasons why the process cannot start, one per line; null for an unexpected error. */
function explain(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof SecretRefusedError) return error.message;
  return explainListenError(error, { host: 'HOST', port: 'PORT' });
}
