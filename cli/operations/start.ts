import { join } from 'node:path';

import { messageOf } from '../../core/errors.js';
import { loadConfig, type Config, type Environment } from '../../runtime/settings/config.js';
import { openDataDirectory, type DataDirectory } from '../../runtime/embedded/data-dir.js';
import { rotateLogs } from '../../runtime/embedded/daemon.js';
import { endLeftovers, recordProcesses } from '../../runtime/embedded/leftovers.js';
import { keptPorts, waitForPort } from '../../runtime/embedded/ports.js';
import { StartError } from '../../runtime/embedded/start-error.js';
import { splitAddress } from '../../runtime/metrics/server.js';
import { serviceModules } from './fork-service.js';
import { findAdminKey, makeLoginLink } from './login-link.js';
import { followLog, readable } from './start/log-tail.js';
import { onStopSignal } from './start/stop-signal.js';
import {
  completeEnvironment,
  prepareDatabase,
  providePostgres,
  provideTemporal,
  shutdownGraceSeconds,
  startServices,
  type StackContext,
} from './start/stack.js';
import { createSupervisor, type Supervisor } from './start/supervise.js';
import { printReady } from './start/summary.js';
import { createTerminal, type Terminal } from './start/terminal.js';
import { duration } from '../terminal/units.js';
import { withDatabase } from './with-database.js';

/** How long to wait for the ports of a killed start to become free. */
const portWaitMs = 10_000;

/** Milliseconds between two checks of the size of the logs. */
const rotationMs = 60_000;

/** Stopping everything takes under ten seconds, unless requests get more; most of that is for activities that finish. */
const stopMs = { services: 7500, others: 1800, closing: 2500 } as const;

/**
 * Runs everything until a signal ends it: the API, the worker, and the parts that no setting replaces with
 * external ones. Returns when all of it has stopped.
 *
 * @param modules The modules to run as API and worker: tests pass stubs.
 * @throws ConfigError, or StartError if it cannot start; whatever it started has then been stopped
 */
export async function start(env: Environment, modules = serviceModules): Promise<void> {
  const config = loadConfig(env, 'start');
  process.umask(0o077);
  const terminal = createTerminal(process.stdout, { color: (env['NO_COLOR'] ?? '') === '' });
  const began = Date.now();
  const directory = await openDataDirectory(config.dataDir);
  try {
    await run({ env, config, directory, terminal, modules, began });
  } finally {
    directory.release();
  }
}

async function run(options: {
  readonly env: Environment;
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly terminal: Terminal;
  readonly modules: typeof serviceModules;
  readonly began: number;
}): Promise<void> {
  const { env, config, directory, terminal, modules, began } = options;
  const { paths } = directory;
  const leftovers = await endLeftovers(paths.processes);
  const waitMs = leftovers.length > 0 ? portWaitMs : 0;
  await checkPort(config, waitMs);
  terminal.print(`Knowledge Warehouse, data in ${paths.root}`);
  terminal.print();
  if (leftovers.length > 0) {
    terminal.print(`  Ended processes that the last start left running: ${leftovers.join(', ')}.`);
  }

  let describe = (): void => undefined;
  const supervisor = createSupervisor(recordProcesses(paths.processes), {
    onChange: () => describe(),
    onTrouble: (line) => terminal.warn(`  ${line}`),
  });
  const stopFollowing = ['api', 'worker'].map((name) =>
    followLog(join(paths.logs, `${name}.log`), (line) => {
      const shown = readable(name, line);
      if (shown !== null) terminal.warn(shown);
    }),
  );
  let rotation: NodeJS.Timeout | undefined;
  const stop = onStopSignal(() => supervisor.kill());
  const context: StackContext = {
    env,
    config,
    directory,
    ports: keptPorts(paths.ports, servicePorts(config)),
    portWaitMs: waitMs,
    terminal,
    supervisor,
    signal: stop.signal,
  };
  try {
    await stop.orUntilThen(bringUp(context, modules, began, (write) => (describe = write)));
    process.on('message', (message) => reload(message, supervisor));
    rotation = setInterval(() => rotateLogs(paths.logs), rotationMs);
    await stop.requested;
  } finally {
    clearInterval(rotation);
    const graceMs = shutdownGraceSeconds(context) * 1000;
    await bringDown(supervisor, terminal, Math.max(stopMs.services, graceMs + stopMs.closing));
    stopFollowing.forEach((end) => end());
  }
}

/** The ports of API and worker. They are opened last, so nothing else may use these ports before. */
function servicePorts(config: Config): number[] {
  const { workerHealthAddress, workerMetricsAddress, temporalMetricsAddress } = config;
  const addresses = [workerHealthAddress, workerMetricsAddress, temporalMetricsAddress];
  const used = addresses.filter((address) => address !== null);
  return [config.port, ...used.map((address) => splitAddress(address).port)];
}

async function checkPort({ host, port }: Config, waitMs: number): Promise<void> {
  const free = await waitForPort(port, host, waitMs).catch((error: unknown) => {
    throw new StartError(`HOST, PORT: cannot listen on ${host}:${port}: ${messageOf(error)}`);
  });
  if (!free)
    throw new StartError(`PORT: ${host}:${port} is in use by another program. Set PORT to a free one.`);
}

async function bringUp(
  context: StackContext,
  modules: typeof serviceModules,
  began: number,
  onPlan: (describe: () => void) => void,
): Promise<void> {
  const { config, directory, supervisor, terminal, signal } = context;
  const [databaseUrl, temporal] = await provideServers(context);
  signal.throwIfAborted();
  const describe = (): void =>
    directory.writeStack({
      api: config.publicUrl,
      temporal_address: temporal.address,
      temporal_namespace: temporal.namespace,
      temporal_ui: temporal.uiUrl,
      database_url: databaseUrl,
      processes: { supervisor: process.pid, ...supervisor.pids() },
    });
  // Write the file before the API is ready: clients that wait for the API read it at once.
  describe();
  onPlan(describe);
  await startServices(context, completeEnvironment(context, { databaseUrl, temporal }), modules);
  signal.throwIfAborted();
  // Last, since the link is valid for five minutes and a first start may take as long.
  const loginLink = await withDatabase({ databaseUrl }, async (db) =>
    makeLoginLink(db, config, await findAdminKey(db, { dataDir: directory.paths.root })),
  );
  signal.throwIfAborted();
  const tookMs = Date.now() - began;
  printReady(terminal, { config, temporal, paths: directory.paths, loginLink, tookMs });
}

/** Starts and prepares the database, and starts Temporal, in parallel. If one fails, the other start is aborted. */
async function provideServers(context: StackContext): Promise<[string, Config['temporal']]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const orGiveUp = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const both = [
    orGiveUp(provideDatabase({ ...context, signal })),
    orGiveUp(provideTemporal({ ...context, signal })),
  ] as const;
  await Promise.allSettled(both);
  // The error of the other one only says that it was aborted.
  failed.signal.throwIfAborted();
  return await Promise.all(both);
}

async function provideDatabase(context: StackContext): Promise<string> {
  const url = await providePostgres(context);
  context.signal.throwIfAborted();
  await prepareDatabase(context, url);
  return url;
}

/** Stops API and worker in parallel, since neither needs the other, then the parts that both need. */
async function bringDown(supervisor: Supervisor, terminal: Terminal, servicesMs: number): Promise<void> {
  const began = Date.now();
  const left = (): number => Math.max(500, servicesMs + stopMs.others - (Date.now() - began));
  supervisor.letGo();
  if (Object.keys(supervisor.pids()).length === 0) return;
  terminal.print();
  const stopOne = async (
    name: string,
    title: string,
    gently: NodeJS.Signals,
    timeoutMs: number,
  ): Promise<void> => {
    const since = Date.now();
    if (await supervisor.stop(name, gently, timeoutMs)) {
      terminal.print(`  ${title} stopped after ${duration(Date.now() - since)}.`);
    }
  };
  await Promise.all([
    stopOne('api', 'API', 'SIGTERM', servicesMs),
    stopOne('worker', 'Worker', 'SIGTERM', servicesMs),
  ]);
  await stopOne('temporal', 'Temporal', 'SIGTERM', left() - 400);
  await stopOne('postgres', 'PostgreSQL', 'SIGINT', left());
}

/** The message that "npm run dev" sends after a build. */
function reload(message: unknown, supervisor: Supervisor): void {
  if ((message as { type?: unknown } | null)?.type !== 'reload') return;
  supervisor.restart('api');
  supervisor.restart('worker');
}
