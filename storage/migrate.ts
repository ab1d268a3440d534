import type { Knex } from 'knex';
import type { Db } from './database/connection.js';
import * as initial from './migrations/0001-initial.js';
import * as uploadsAndCleanUps from './migrations/0002-uploads-and-clean-ups.js';
import * as idempotencyKeys from './migrations/0003-idempotency-keys.js';
import * as sweeps from './migrations/0005-sweeps.js';
import * as sessions from './migrations/0007-sessions.js';
import * as eventsAndStatistics from './migrations/0008-events-and-statistics.js';
import * as outboxOrigins from './migrations/0009-outbox-origins.js';
import * as hashesOfContents from './migrations/0050-hashes-of-contents.js';

const migrations: Readonly<Record<string, Knex.Migration>> = {
  '0001-initial': initial,
  '0002-uploads-and-clean-ups': uploadsAndCleanUps,
  '0003-idempotency-keys': idempotencyKeys,
  '0005-sweeps': sweeps,
  '0007-sessions': sessions,
  '0008-events-and-statistics': eventsAndStatistics,
  '0009-outbox-origins': outboxOrigins,
  '0050-hashes-of-contents': hashesOfContents,
};

const source: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    return migration ? Promise.resolve(migration) : Promise.reject(new Error(`No migration ${name}`));
  },
};

/**
 * Brings the schema up to date. Several processes may call it at once: one works, the others wait.
 * Returns the names of the migrations that it applied.
 */
export async function migrate(db: Db): Promise<{ applied: string[] }> {
  return await db.transaction(async (trx) => {
    await trx.raw("select pg_advisory_xact_lock(hashtext('knowledge-warehouse migrations'))");
    const [, applied] = (await trx.migrate.latest({
      migrationSource: source,
      tableName: 'schema_migrations',
      disableMigrationsListValidation: true,
    })) as [number, string[]];
    return { applied };
  });
}
