import { randomBytes } from 'node:crypto';

import type { Knex } from 'knex';

import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { startPostgres as startEmbedded } from '../../runtime/embedded/postgres.js';
import type { ProcessIdentity } from '../../runtime/embedded/process-identity.js';
import { connectDatabase } from '../../storage/database.js';
import { migrate } from '../../storage/migrate.js';
import { shared } from './servers.js';
import { temporaryFolder } from './temporary.js';

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  /** Of a superuser, on the database `postgres`. */
  readonly superuserUrl: string;
  /** Of the role that the service uses, on its own database. */
  readonly url: string;
  readonly identity: ProcessIdentity;
  stop(): Promise<void>;
}

/** One server for the whole run. What it writes need not survive a crash of the machine. */
export function startPostgres(): Promise<TestPostgres> {
  return shared('postgres', async () => {
    const paths = dataPaths(temporaryFolder());
    const server = await startEmbedded(paths, keptPorts(paths.ports), {
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    });
    return {
      superuserUrl: server.superuserUrl,
      url: server.url,
      identity: server.daemon.identity,
      stop: () => server.stop(),
    };
  });
}

/** A database of a suite's own. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Knex;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
}

const open = new Set<Knex>();

/** Makes a fresh database with the whole schema, or an empty one. Its owner is the role the service itself uses. */
export async function createDatabase(options: { readonly migrated?: boolean } = {}): Promise<TestDatabase> {
  const { superuserUrl, url: serviceUrl } = await startPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const asSuperuser = async (sql: string): Promise<void> => {
    const server = connectDatabase(superuserUrl, { poolSize: 1 });
    try {
      await server.raw(sql);
    } finally {
      await server.destroy();
    }
  };
  await asSuperuser(`create database ${name} owner kw`);
  const url = new URL(serviceUrl);
  url.pathname = `/${name}`;
  const db = connectDatabase(url.href, { poolSize: 10 });
  open.add(db);
  if (options.migrated ?? true) await migrate(db);
  return {
    url: url.href,
    db,
    async drop() {
      open.delete(db);
      await db.destroy();
      await asSuperuser(`drop database ${name} with (force)`);
    },
  };
}

/** Closes the pools that suites left open. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([...open].map((db) => db.destroy()));
  open.clear();
}
