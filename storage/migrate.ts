import type { Knex } from 'knex';
import type { Db } from './database/connection.js';
import { up as initial } from './migrations/0001-initial/index.js';

const migrations: Readonly<Record<string, Knex.Migration['up']>> = {
  '0001-initial': initial,
};

/** The migrations, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Required by knex, but never called: the only way back is a restore. */
const down = (): Promise<never> => Promise.reject(new Error('A migration cannot be undone.'));

const source: Knex.MigrationSource<[string, Knex.Migration['up']]> = {
  getMigrations: () => Promise.resolve(Object.entries(migrations)),
  getMigrationName: ([name]) => name,
  getMigration: ([, up]) => Promise.resolve({ up, down }),
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
