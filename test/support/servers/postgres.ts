import { randomBytes } from 'node:crypto';

import type { Knex } from 'knex';

import { connectDatabase } from '../../../storage/database/connection.js';
import { eventually } from '../eventually.js';
import { shared } from '../shared/servers.js';

/** A suite's own database. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Knex;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
}

const open = new Set<Knex>();

/** Creates a database with the whole schema, or an empty one. Its owner is the service's own role. */
export async function createDatabase(options: { readonly migrated?: boolean } = {}): Promise<TestDatabase> {
  const { superuserUrl, templateUrl } = await shared('postgres');
  const asSuperuser = async (sql: string): Promise<void> => {
    const server = connectDatabase(superuserUrl, { poolSize: 1 });
    try {
      await connected(server);
      await server.raw(sql);
    } finally {
      await server.destroy();
    }
  };
  const url = new URL(templateUrl);
  const template = (options.migrated ?? true) ? url.pathname.slice(1) : 'template1';
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`create database ${name} owner ${url.username} template ${template}`);
  url.pathname = `/${name}`;
  const db = connectDatabase(url.href, { poolSize: 10 });
  open.add(db);
  await connected(db);
  // The schema contains the id of the installation, so each database needs a new one.
  if (options.migrated ?? true) await db.raw('update warehouse set id = gen_random_uuid()');
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

/** Resolves once a pool has a connection. While everything starts, one may take longer than a pool waits. */
export async function connected(db: Knex): Promise<void> {
  await eventually(() => db.raw('select 1'));
}

/** Resolves once `count` connections to the database of `db` wait for a lock. */
export async function lockWaits(db: Knex, count: number): Promise<void> {
  await eventually(async () => {
    const waiting: unknown[] = await db('pg_stat_activity').whereRaw(
      "wait_event_type = 'Lock' and datname = current_database()",
    );
    return waiting.length === count;
  });
}

/** Closes the pools that suites left open. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([...open].map((db) => db.destroy()));
  open.clear();
}
