import { createApiKey } from '../../storage/auth/api-keys.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { migrate } from '../../storage/migrate.js';
import type { Daemon } from '../../runtime/embedded/daemon.js';
import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { startPostgres, type EmbeddedPostgres } from '../../runtime/embedded/postgres/server.js';
import { findTemporal } from '../../runtime/embedded/temporal/binary.js';
import { signal } from '../../runtime/embedded/process-identity.js';
import { startTemporalServer, type EmbeddedTemporal } from '../../runtime/embedded/temporal/server.js';
import { atExit } from '../../test/support/at-exit.js';
import { createRestClient, type RestClient } from '../../test/support/service/rest-client.js';
import { startService, type Service } from '../../test/support/service/service.js';
import { temporaryFolder } from '../../test/support/temporary.js';
import { startWorkerProcess, type WorkerProcess } from '../../test/support/workers/worker-process.js';
import { eventually } from '../../test/support/eventually.js';
import { reservePort } from '../../test/support/servers/ports.js';

export type BenchTemporal = Pick<EmbeddedTemporal, 'address' | 'daemon' | 'stop'>;

/** The servers of `npm start`, with the same settings, and the processes of a bench that use them. */
export interface Parts {
  readonly temporalAddress: string;
  /** The service's PostgreSQL server. */
  readonly postgres: EmbeddedPostgres;
  readonly db: Db;
  /** Counts the rows of `from`, the part of a statement after that word. */
  count(from: string, values?: readonly string[]): Promise<number>;
  /** The settings with which a process of the service reaches them. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts an API; callbacks use the first one's address. `node`: Node options. */
  startApi(more?: Readonly<Record<string, string>>, node?: readonly string[]): Promise<RunningApi>;
  startWorker(more?: Readonly<Record<string, string>>, node?: readonly string[]): Promise<Service>;
  /** Starts one of our TypeScript programs and waits until it reports that it is ready. */
  startProgram(
    file: URL,
    args?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<WorkerProcess>;
  /** Stops everything that was started, the servers last. */
  stop(): Promise<void>;
}

export interface RunningApi extends Service {
  readonly base: string;
  readonly key: string;
  readonly client: RestClient;
  /** Creates a pipeline for a type of resources. */
  addPipeline(type: string, steps: readonly object[]): Promise<unknown>;
}

/**
 * Starts the servers. `more`: settings of every process of the service, which extend or override the usual ones;
 * `folder`: the servers' data folder; `startTemporal`: starts another server instead of the dev server.
 */
export async function startParts(
  more: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
  startTemporal: () => Promise<BenchTemporal> = () => startDevServer(folder),
): Promise<Parts> {
  const paths = dataPaths(folder);
  const ports = keptPorts(paths.ports);
  const postgres = await startPostgres(paths, ports, {});
  killAtExit(postgres);
  const temporal = await startTemporal();
  killAtExit(temporal);
  // The time limit allows a bench to insert a million rows.
  const db = connectDatabase(postgres.url, { poolSize: 4, statementMs: 600_000 });
  await migrate(db);
  const { key } = await createApiKey(db, { name: 'bench', scopes: ['admin'] });
  const publicPort = await reservePort();
  const env = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    KW_SECRET: 'a-secret-of-the-benches-alone',
    KW_DATA_DIR: temporaryFolder(),
    KW_PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
    KW_PLUGIN_HOSTS: '127.0.0.1',
    KW_RATE_LIMIT: '0',
    KW_MAX_UPLOAD_BYTES: String(16 * 1024 ** 3),
    ...more,
  };
  const started: { stop(): Promise<unknown> }[] = [];
  let apis = 0;
  const kept = <T extends { stop(): Promise<unknown> }>(process: T): T => {
    started.push(process);
    return process;
  };
  return {
    temporalAddress: temporal.address,
    postgres,
    db,
    async count(from, values = []) {
      const { rows } = await db.raw<{ rows: [{ count: number }] }>(`select count(*) from ${from}`, values);
      return rows[0].count;
    },
    env,
    async startApi(more = {}, node = []) {
      const port = apis++ === 0 ? publicPort : await reservePort();
      const service = kept(await startService('api', { ...env, PORT: String(port), ...more }, [], node));
      const base = `http://127.0.0.1:${port}`;
      const client = createRestClient({ api: base, adminKey: key });
      return {
        ...service,
        base,
        key,
        client,
        addPipeline: (type, steps) =>
          client.expect(201, 'POST', '/pipelines', { name: type, trigger_type: type, steps }),
      };
    },
    startWorker: async (more = {}, node = []) =>
      kept(await startService('worker', { ...env, ...more }, [], node)),
    async startProgram(file, args = [], more = {}) {
      const program = kept(
        startWorkerProcess(process.execPath, ['--import=tsx', file.pathname, ...args], {
          env: { ...env, ...more },
        }),
      );
      await untilReady(program, file.pathname, () => / is ready/.test(program.output()));
      return program;
    },
    async stop() {
      for (const process of started.reverse()) await process.stop();
      await db.destroy();
      await temporal.stop();
      await postgres.stop();
    },
  };
}

/** Waits until a process is ready, for two minutes at most. Throws if it ends before. */
export async function untilReady(
  { ended, output }: WorkerProcess,
  name: string,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const over = ended.then((code) => {
    throw new Error(`${name} ended with ${code}:\n${output()}`);
  });
  const ready = eventually(isReady, { timeoutMs: 120_000 });
  // Only the first outcome counts.
  for (const outcome of [over, ready]) outcome.catch(() => undefined);
  await Promise.race([over, ready]);
}

/** Kills a server at exit, in case a bench throws before it could stop the server. */
export function killAtExit({ daemon }: { readonly daemon: Daemon }): void {
  atExit(() => signal(daemon.identity, 'SIGKILL', 'group'));
}

async function startDevServer(folder: string): Promise<BenchTemporal> {
  const paths = dataPaths(folder);
  const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
  return await startTemporalServer(binary, 'default', paths, keptPorts(paths.ports));
}
