import type { Environment } from '../../runtime/settings/config.js';
import { registerSearchAttributes } from '../../runtime/temporal/search-attributes.js';
import { connectTemporal } from '../../runtime/temporal/connection.js';
import { asDatabaseError, connectDatabase } from '../../storage/database/connection.js';
import { migrate as migrateDatabase } from '../../storage/migrate.js';
import { loadOperationConfig } from './running-stack.js';

/**
 * Brings the database's schema up to date and, where TEMPORAL_ADDRESS is given, registers the search attributes.
 * Prints what it did. Throws ConfigError, or what the database or Temporal answered.
 */
export async function migrate(env: Environment, print: (line: string) => void): Promise<void> {
  const config = loadOperationConfig(env, 'migrate');
  const db = connectDatabase(config.databaseUrl, { poolSize: 2 });
  try {
    const { applied } = await migrateDatabase(db);
    print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    await db.destroy();
  }
  if (config.temporal.address === '') {
    print('TEMPORAL_ADDRESS is not set: no search attributes were registered.');
    return;
  }
  const temporal = await connectTemporal(config.temporal);
  try {
    const warning = await registerSearchAttributes(temporal.connection, config.temporal.namespace);
    print(warning ?? 'The search attributes are registered.');
  } finally {
    await temporal.close();
  }
}
