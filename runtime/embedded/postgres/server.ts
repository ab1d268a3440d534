import { existsSync, lchownSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { messageOf } from '../../../core/errors.js';
import { outputOf, startDaemon, type Daemon, type StartOptions } from '../daemon.js';
import type { DataPaths } from '../data-paths.js';
import type { KeptPorts } from '../ports.js';
import { commandFor, postgresAccount, type Account } from './account.js';
import {
  checkVersion,
  makeCluster,
  readCredentials,
  serverEnvironment as env,
  superuser,
  type Credentials,
} from './cluster.js';
import { postgresBinaries, type PostgresBinaries } from './binaries.js';
import { commandOf } from '../process-identity.js';
import { StartError } from '../start-error.js';

/** The role and the database of the service; the role owns the database and has no other rights. */
const name = 'kw';

export interface EmbeddedPostgres {
  /** The URL of the service's database, with its password. */
  readonly url: string;
  /** The URL of a superuser on the database `postgres`. */
  readonly superuserUrl: string;
  readonly port: number;
  readonly daemon: Daemon;
  /** Stops the server: sessions are cut, committed data stays. Usually takes up to a second, at most `timeoutMs`. */
  stop(timeoutMs?: number): Promise<void>;
}

/**
 * Gives the account its folder. What a link leads to is not given away: the data directory may belong to another user.
 * Throws StartError if the target of a link is not the account's.
 */
function giveFolder(folder: string, { name, uid, gid }: Account): void {
  if (!lstatSync(folder).isSymbolicLink()) lchownSync(folder, uid, gid);
  else if (statSync(folder).uid !== uid)
    throw new StartError(`${folder} is a link, and its target does not belong to ${name}: chown the target.`);
}

/**
 * Starts PostgreSQL on 127.0.0.1, in folders of the data directory that the first start creates. A server that was
 * killed recovers. The port stays the same across restarts; once published, it cannot change. A password is always
 * required.
 *
 * @param options `settings`: server parameters by name
 * @throws StartError if the server cannot run here
 */
export async function startPostgres(
  paths: DataPaths,
  ports: KeptPorts,
  options: StartOptions & { readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<EmbeddedPostgres> {
  const binaries = await postgresBinaries();
  const account = postgresAccount(paths.postgres);
  const credentials = readCredentials(paths.postgresCredentials);
  const cluster = join(paths.postgres, 'cluster');
  mkdirSync(paths.postgres, { recursive: true, mode: 0o700 });
  if (account !== null) giveFolder(paths.postgres, account);
  if (existsSync(cluster)) checkVersion(cluster);
  else await makeCluster(cluster, binaries, account, credentials);

  const giveUp = performance.now() + 15_000;
  for (;;) {
    const port = await ports.get('postgres', options.portWaitMs);
    const daemon = run({ binaries, account, cluster, port, paths, settings: options.settings ?? {} });
    options.onSpawn?.(daemon.identity);
    try {
      await prepare(daemon, port, credentials);
    } catch (error) {
      await stop(daemon, 0);
      const output = outputOf(daemon);
      const portTaken = output.includes('could not bind');
      if (portTaken) ports.forget('postgres');
      // The last processes of a killed server may take a moment to notice that it is gone.
      const stillEnding = output.includes('is still in use') || output.includes('postmaster.pid');
      if ((portTaken || stillEnding) && performance.now() < giveUp) await sleep(200);
      else throw new StartError(`PostgreSQL did not start: ${reason(output, error)} (${daemon.logFile})`);
      continue;
    }
    ports.hold('postgres');
    const url = urlFor(name, credentials.password, port, name);
    const superuserUrl = urlFor(superuser, credentials.superuserPassword, port, 'postgres');
    return { url, superuserUrl, port, daemon, stop: (timeoutMs = 5000) => stop(daemon, timeoutMs) };
  }
}

/** SIGINT is PostgreSQL's fast shutdown; SIGQUIT its immediate one, after which the next start recovers. */
function stop(daemon: Daemon, timeoutMs: number): Promise<void> {
  return daemon.stop([
    { signal: 'SIGINT', waitMs: timeoutMs },
    { signal: 'SIGQUIT', waitMs: 1000 },
  ]);
}

function run(start: {
  readonly binaries: PostgresBinaries;
  readonly account: Account | null;
  readonly cluster: string;
  readonly port: number;
  readonly paths: DataPaths;
  readonly settings: Readonly<Record<string, string>>;
}): Daemon {
  const { binaries, account, cluster, port } = start;
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    log_checkpoints: 'off',
    ...start.settings,
  };
  const { command, ...as } = commandFor(
    account,
    [
      binaries.postgres,
      '-D',
      cluster,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    [binaries.postgres, cluster],
  );
  return startDaemon(command, {
    logFile: join(start.paths.logs, 'postgres.log'),
    env: { ...env, ...reusedPid(cluster) },
    ...as,
  });
}

/**
 * A killed server leaves its pid file behind, and another program may have that pid by now. PostgreSQL would mistake
 * that program for a running server and refuse to start. It ignores the one process that this variable names; pg_ctl
 * uses it the same way.
 */
function reusedPid(cluster: string): Record<string, string> {
  const file = join(cluster, 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  const command = Number.isInteger(pid) ? commandOf(pid) : '';
  return command === '' || command.includes(cluster) ? {} : { PG_GRANDPARENT_PID: String(pid) };
}

/** Waits until the server accepts connections (a recovery may take long) and creates our database if it is missing. */
async function prepare(daemon: Daemon, port: number, credentials: Credentials): Promise<void> {
  const ended = daemon.ended.then((how) => Promise.reject(new Error(`it ended with ${how}`)));
  ended.catch(() => undefined);
  const connectionString = urlFor(superuser, credentials.superuserPassword, port, 'postgres');
  for (;;) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await Promise.race([client.connect(), ended]);
      await makeDatabase(client, credentials.password);
      return;
    } catch (error) {
      if (!isNotReady(error)) throw error;
      await Promise.race([sleep(25), ended]);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function makeDatabase(client: pg.Client, password: string): Promise<void> {
  const roles = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  if (roles.rowCount === 0) await client.query(`create role ${name} login password '${password}'`);
  const databases = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (databases.rowCount === 0) await client.query(`create database ${name} owner ${name}`);
}

/** Not listening yet, or 57P03: starting up or recovering. */
function isNotReady(error: unknown): boolean {
  const { code } = error as { code?: string };
  return (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === '57P03' ||
    /timeout|terminated/.test(messageOf(error))
  );
}

/** The server has no TLS. Without a mode in the URL, PGSSLMODE in the environment could demand it. */
function urlFor(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function reason(output: string, error: unknown): string {
  const line = output.split('\n').findLast((text) => /FATAL|PANIC|ERROR|error/.test(text));
  return line?.replace(/^.*?(?=FATAL|PANIC|ERROR|error)/, '') ?? messageOf(error);
}
