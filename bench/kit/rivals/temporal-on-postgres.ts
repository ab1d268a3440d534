import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { stringify } from 'yaml';
import { outputOf, startDaemon, type Daemon } from '../../../runtime/embedded/daemon.js';
import { dataPaths } from '../../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../../runtime/embedded/ports.js';
import { startPostgres, type EmbeddedPostgres } from '../../../runtime/embedded/postgres/server.js';
import { promptQueues, taskOrder } from '../../../runtime/embedded/temporal/server.js';
import { registerSearchAttributes } from '../../../runtime/temporal/search-attributes.js';
import { connectTemporal, temporalReachable } from '../../../runtime/temporal/connection.js';
import { reservePort } from '../../../test/support/servers/ports.js';
import { temporaryFolder } from '../../../test/support/temporary.js';
import { killAtExit } from '../parts.js';
import { findTemporalPrograms } from './temporal-programs.js';

const run = promisify(execFile);
const namespace = 'default';
/** Temporal's two databases, by their schema names in its sql tool. */
const databases = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;
const services = ['frontend', 'history', 'matching', 'worker'] as const;

/** A Temporal server as in production, with all four services in one process, and its PostgreSQL server. */
export interface TemporalOnPostgres {
  readonly address: string;
  readonly daemon: Daemon;
  readonly postgres: EmbeddedPostgres;
  stop(): Promise<void>;
}

/**
 * Starts it with empty databases on a separate PostgreSQL server with the same settings as the service's. Thus
 * Temporal's cost can be told from the service's, and neither waits for the other's log to be written.
 */
export async function startTemporalOnPostgres(say: (text: string) => void): Promise<TemporalOnPostgres> {
  const programs = await findTemporalPrograms(say);
  const folder = temporaryFolder();
  const paths = dataPaths(folder);
  const postgres = await startPostgres(paths, keptPorts(paths.ports), {});
  killAtExit(postgres);
  try {
    for (const [schema, database] of Object.entries(databases))
      await createDatabase(programs.sql, postgres, schema, database);
    const port = await reservePort();
    await writeConfig(join(folder, 'config'), postgres, port);
    const words = [programs.server, '--root', folder, '--env', 'bench', '--allow-no-auth', 'start'] as const;
    const daemon = startDaemon(words, {
      logFile: join(paths.logs, 'temporal.log'),
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    const stop = async (): Promise<void> => {
      await daemon.stop([{ signal: 'SIGTERM', waitMs: 10_000 }]);
      await postgres.stop();
    };
    try {
      await prepare(daemon, `127.0.0.1:${port}`);
    } catch (error) {
      const last = outputOf(daemon).trim().split('\n').slice(-5).join('\n');
      await daemon.stop([]);
      throw new Error(`Temporal did not start:\n${last}`, { cause: error });
    }
    return { address: `127.0.0.1:${port}`, daemon, postgres, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function createDatabase(
  program: string,
  postgres: EmbeddedPostgres,
  schema: string,
  database: string,
): Promise<void> {
  const { hostname, port, username, password } = new URL(postgres.superuserUrl);
  const at = ['--plugin', 'postgres12', '--endpoint', hostname, '--port', port, '--user', username];
  const tool = (...words: readonly string[]) =>
    run(program, [...at, '--password', password, '--database', database, ...words]);
  await tool('create-database');
  await tool('setup-schema', '--version', '0.0');
  await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

async function writeConfig(folder: string, postgres: EmbeddedPostgres, frontendPort: number): Promise<void> {
  const { host, username, password } = new URL(postgres.superuserUrl);
  const store = (databaseName: string, connections: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: host,
      connectProtocol: 'tcp',
      user: username,
      password,
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: '1h',
    },
  });
  const rpc: Record<string, object> = {};
  for (const service of services) {
    const grpcPort = service === 'frontend' ? frontendPort : await reservePort();
    rpc[service] = { rpc: { grpcPort, membershipPort: await reservePort(), bindOnLocalHost: true } };
  }
  const frontend = `127.0.0.1:${frontendPort}`;
  const dynamicConfig = join(folder, 'dynamic.yaml');
  const config = {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: store(databases.temporal, 20), visibility: store(databases.visibility, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: rpc,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    publicClient: { hostPort: frontend },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfig, pollInterval: '60s' },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bench.yaml'), stringify(config), { mode: 0o600 });
  const values = Object.entries({ ...promptQueues, ...taskOrder }).map(([key, value]) => [
    key,
    [{ value, constraints: {} }],
  ]);
  writeFileSync(dynamicConfig, stringify(Object.fromEntries(values)));
}

/** Waits until it responds, and creates the namespace with our search attributes. */
async function prepare(daemon: Daemon, address: string): Promise<void> {
  let over = '';
  void daemon.ended.then((how) => (over = how));
  const temporal = await connectTemporal({ address, namespace, apiKey: null, tls: null, uiUrl: null });
  try {
    const until = Date.now() + 120_000;
    const patiently = async (work: () => Promise<boolean>): Promise<void> => {
      while (!(await work().catch(() => false))) {
        if (over !== '') throw new Error(`it ended with ${over}`);
        if (Date.now() > until) throw new Error('it does not answer');
        await sleep(100);
      }
    };
    await patiently(() => register(temporal.connection));
    await patiently(() => temporalReachable(temporal.connection, namespace, 1000));
    await patiently(async () => (await registerSearchAttributes(temporal.connection, namespace)) === null);
  } finally {
    await temporal.close();
  }
}

async function register(connection: Connection): Promise<boolean> {
  const workflowExecutionRetentionPeriod = msToTs(24 * 3600 * 1000);
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  return true;
}
