import type { Config } from '../../runtime/settings/config.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { explainDatabaseError } from '../../storage/database/explain.js';

/**
 * Does some work on the database with a pool of its own. Throws what the work throws, and DATABASE_UNAVAILABLE with a
 * sentence on what to change.
 */
export async function withDatabase<T>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: (db: Db) => Promise<T>,
  poolSize = 1,
): Promise<T> {
  const db = connectDatabase(databaseUrl, { poolSize });
  try {
    return await work(db);
  } catch (error) {
    throw explainDatabaseError(error, databaseUrl);
  } finally {
    await db.destroy();
  }
}
