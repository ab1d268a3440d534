import type { Knex } from 'knex';
import type { Db } from './database/connection.js';
import * as initial from './migrations/0001-initial/index.js';

const migrations: Readonly<Record<string, Knex.Migration>> = {
  '0001-initial': initial,
};

/** The migrations, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

const source: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve([...migrationNames]),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    return migration ? Promise.resolve(migration) : Promise.reject(new Error(`No migration ${name}`));
  },
};

/**
 * Brings the schema up to date. Several processes may call it at once: one migrates, the others wait.
 * Returns the names of the migrations it applied.
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
