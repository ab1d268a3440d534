import { StartError } from '../../runtime/embedded/start-error.js';
import type { Config, Environment } from '../../runtime/settings/config.js';
import { connectTemporal, describeNamespace } from '../../runtime/temporal/connection.js';
import { explainTemporalError } from '../../runtime/temporal/explain.js';
import { registerSearchAttributes } from '../../runtime/temporal/search-attributes.js';
import { createFirstAdminKey } from '../../storage/auth/api-keys.js';
import { migrate as migrateDatabase } from '../../storage/migrate.js';
import { loadOperationConfig } from './running-stack.js';
import { withDatabase } from './with-database.js';

type Print = (line: string) => void;

/**
 * Brings the database's schema up to date, makes KW_ADMIN_KEY the first admin key and, if TEMPORAL_ADDRESS is
 * set, registers the search attributes. Prints what it did.
 *
 * @throws ConfigError, or an error that says why the database or Temporal cannot be used
 */
export async function migrate(env: Environment, print: Print): Promise<void> {
  const config = loadOperationConfig(env, 'migrate');
  await withDatabase(
    config,
    async (db) => {
      const { applied } = await migrateDatabase(db);
      print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
      if (config.adminKey !== null && (await createFirstAdminKey(db, config.adminKey)))
        print('KW_ADMIN_KEY is now an admin key of this database.');
    },
    2,
  );
  if (config.temporal.address === '') {
    print('TEMPORAL_ADDRESS is not set: no search attributes were registered.');
    return;
  }
  await prepareTemporal(config.temporal, print);
}

async function prepareTemporal(config: Config['temporal'], print: Print): Promise<void> {
  const temporal = await connectTemporal(config);
  try {
    await describeNamespace(temporal.connection, config.namespace);
    const warning = await registerSearchAttributes(temporal.connection, config.namespace);
    print(warning ?? 'The search attributes are registered.');
    if (warning !== null) print('Runs start without them; only filters in the Temporal Web UI are limited.');
  } catch (error) {
    throw new StartError(await explainTemporalError(error, config), { cause: error });
  } finally {
    await temporal.close();
  }
}
