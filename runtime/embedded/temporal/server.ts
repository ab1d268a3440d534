import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Connection } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';

import { messageOf } from '../../../core/errors.js';
import { registerSearchAttributes } from '../../temporal/search-attributes.js';
import { connectTemporal, temporalReachable } from '../../temporal/connection.js';
import { outputOf, startDaemon, type Daemon, type StartOptions } from '../daemon.js';
import { findBlockedPort, loopbackAddress } from '../blocked-ports.js';
import type { DataPaths } from '../data-paths.js';
import { isListening, type KeptPorts } from '../ports.js';
import { StartError } from '../start-error.js';
import { untilStuck } from './stuck.js';
import { startUiProxy, type Address } from './ui.js';

/** How long closed workflows are kept. */
const retentionMs = 30 * 24 * 3600 * 1000;

/**
 * A shard of the history service polls for tasks and timers at most 20 times a second by default, and a dev server has
 * one shard: each dispatch of a step would wait up to 40 ms (decision 80).
 */
export const promptQueues: Readonly<Record<string, number>> = {
  'history.transferProcessorMaxPollRPS': 1000,
  'history.timerProcessorMaxPollRPS': 1000,
};

/**
 * Dispatches the tasks of a queue by priority, and in order within a priority (decision 150). Server 1.29 only supports
 * priorities with its new matcher. By default it splits a queue into four partitions, each with its own order, which
 * only a cluster of several machines needs.
 */
export const taskOrder: Readonly<Record<string, boolean | number>> = {
  'matching.useNewMatcher': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/**
 * The frontend's HTTP API has no authentication, accepts POST requests from any web page, and cannot be turned off. It
 * is closed by restricting it to one host name that no DNS server resolves (RFC 6761 §6.4). Nexus, which it serves
 * under any host name, is turned off.
 */
const closedHttpApi: Readonly<Record<string, string>> = {
  'frontend.httpAllowedHosts': '["closed.invalid"]',
  'system.enableNexus': 'false',
};

export interface EmbeddedTemporal {
  /** host:port of the frontend. */
  readonly address: string;
  readonly uiUrl: string;
  readonly daemon: Daemon;
  stop(timeoutMs?: number): Promise<void>;
}

/**
 * Starts a Temporal dev server on 127.0.0.1 with its database in the data directory, ensures that the namespace and our
 * search attributes exist, and keeps closed workflows for 30 days. The ports stay the same across restarts. Web pages
 * cannot reach it: its Web UI is served through `startUiProxy`.
 *
 * @param binary The path of the Temporal CLI.
 * @param options `inMemory`: nothing is kept after the server ends.
 * @throws StartError if it does not start
 */
export async function startTemporalServer(
  binary: string,
  namespace: string,
  paths: DataPaths,
  ports: KeptPorts,
  options: StartOptions & { readonly inMemory?: boolean } = {},
): Promise<EmbeddedTemporal> {
  mkdirSync(paths.temporal, { recursive: true, mode: 0o700 });
  for (let tries = 1; ; tries++) {
    const port = await ports.get('temporal', options.portWaitMs);
    const uiPort = await ports.get('temporal_ui', options.portWaitMs);
    const httpPort = await ports.get('temporal_http', options.portWaitMs);
    const ui = await addressForUi();
    const inMemory = options.inMemory ?? false;
    // These ports are scarce: in-memory servers leave them to the others.
    const metricsPort = inMemory ? null : await findBlockedPort('127.0.0.1');
    const daemon = run(binary, namespace, paths, { port, httpPort, metricsPort, ui, inMemory });
    options.onSpawn?.(daemon.identity);
    try {
      await prepare(daemon, port, namespace);
      await assertHttpApiClosed(httpPort, binary);
      const proxy = await startUiProxy(uiPort, ui);
      void daemon.ended.then(() => proxy.close());
      ports.hold('temporal');
      const address = `127.0.0.1:${port}`;
      return {
        address,
        uiUrl: `http://127.0.0.1:${uiPort}`,
        // Restarting would lose the data of an in-memory server.
        daemon: inMemory ? daemon : await endWhenStuck(daemon, address, namespace),
        stop: (timeoutMs = 3000) => daemon.stop([{ signal: 'SIGTERM', waitMs: timeoutMs }]),
      };
    } catch (error) {
      await daemon.stop([]);
      const output = outputOf(daemon);
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (tries < 5 && (isTaken || output.includes('address already in use'))) {
        for (const name of ['temporal', 'temporal_ui', 'temporal_http']) ports.forget(name);
        continue;
      }
      if (error instanceof StartError) throw error;
      const last = output.trim().split('\n').at(-1) ?? '';
      throw new StartError(`Temporal did not start: ${last || messageOf(error)} (${daemon.logFile})`, {
        cause: error,
      });
    }
  }
}

/** A local address for the Web UI itself. Web pages must not reach it directly, since it does not check the Host. */
async function addressForUi(): Promise<Address> {
  const host = loopbackAddress();
  const port = await findBlockedPort(host);
  if (port === null)
    throw new StartError('Temporal did not start: every port that its Web UI could use is taken.');
  return { host, port };
}

/** Throws StartError if the program is too old for the setting that closes the HTTP API. */
async function assertHttpApiClosed(port: number, binary: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces`);
  if (status !== 403)
    throw new StartError(
      `The Temporal CLI ${binary} is too old: it cannot block web pages from its HTTP API. Update it, or remove it so that a newer one is downloaded.`,
    );
}

function run(
  binary: string,
  namespace: string,
  paths: DataPaths,
  at: {
    readonly port: number;
    readonly httpPort: number;
    /** Null lets the program choose one. */
    readonly metricsPort: number | null;
    readonly ui: Address;
    readonly inMemory: boolean;
  },
): Daemon {
  const durably = [
    // Relative, because SQLite reads it as a URI, in which some characters of the folder's path may be invalid.
    '--db-filename=temporal.db',
    // Two to three times as fast, and still safe after a crash.
    '--sqlite-pragma=journal_mode=wal',
    '--sqlite-pragma=synchronous=1',
  ];
  const args = [
    'server',
    'start-dev',
    ...(at.inMemory ? [] : durably),
    '--ip=127.0.0.1',
    `--port=${at.port}`,
    `--http-port=${at.httpPort}`,
    ...(at.metricsPort === null ? [] : [`--metrics-port=${at.metricsPort}`]),
    `--ui-ip=${at.ui.host}`,
    `--ui-port=${at.ui.port}`,
    `--namespace=${namespace}`,
    '--log-level=warn',
    '--disable-config-file',
    '--disable-config-env',
    ...Object.entries({ ...promptQueues, ...taskOrder, ...closedHttpApi }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${value}`,
    ]),
  ];
  return startDaemon([binary, ...args], {
    logFile: join(paths.logs, 'temporal.log'),
    // The user's own CLI settings must not apply.
    env: { PATH: '/usr/bin:/bin', HOME: paths.temporal },
    cwd: paths.temporal,
    isInBackground: true,
  });
}

/** Ends a stuck server so that it can be restarted; `ended` says why. */
async function endWhenStuck(daemon: Daemon, address: string, namespace: string): Promise<Daemon> {
  const over = new AbortController();
  const temporal = await connectTemporal({ address, namespace, apiKey: null, tls: null, uiUrl: null });
  // No deadline: a cancelled call is what leaves the server stuck. The SDK retries a failed call for 17
  // seconds.
  const probe = (): Promise<unknown> => temporal.connection.workflowService.describeNamespace({ namespace });
  let isStuck = false;
  void untilStuck(probe, over.signal).then(async (stuck) => {
    isStuck = stuck;
    if (stuck) await daemon.stop([]);
    await temporal.close();
  });
  const ended = daemon.ended.then((how) => {
    over.abort();
    return isStuck ? 'SQLite answered every query with "interrupted"' : how;
  });
  return { ...daemon, ended };
}

async function prepare(daemon: Daemon, port: number, namespace: string): Promise<void> {
  let over = '';
  void daemon.ended.then((how) => (over = how));
  const address = `127.0.0.1:${port}`;
  const temporal = await connectTemporal({ address, namespace, apiKey: null, tls: null, uiUrl: null });
  try {
    const until = performance.now() + 60_000;
    // A refused client waits a second before it retries, so only create it once the server listens.
    while (over === '' && !(await isListening(port))) await sleep(20);
    while (!(await temporalReachable(temporal.connection, namespace, 1000))) {
      if (over !== '') throw new Error(`it ended with ${over}`);
      if (performance.now() > until) throw new Error('it does not answer');
      await sleep(25);
    }
    await keepClosedRuns(temporal.connection, namespace);
    await registerSearchAttributes(temporal.connection, namespace);
  } finally {
    await temporal.close();
  }
}

async function keepClosedRuns(connection: Connection, namespace: string): Promise<void> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const current = config?.workflowExecutionRetentionTtl;
  if (current && tsToMs(current) === retentionMs) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(retentionMs) },
  });
}
