import type { Config } from '../../runtime/settings/config.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { explainDatabaseError } from '../../storage/database/explain.js';

/** How long a command waits for a connection to a busy server, in milliseconds. */
const patienceMs = 30_000;

/**
 * Runs some work with its own database pool. Throws the errors of the work, and DATABASE_UNAVAILABLE with a
 * sentence on what to change.
 */
export async function withDatabase<T>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: (db: Db) => Promise<T>,
  poolSize = 1,
): Promise<T> {
  const db = connectDatabase(databaseUrl, { poolSize, waitMs: patienceMs });
  try {
    return await work(db);
  } catch (error) {
    throw explainDatabaseError(error, databaseUrl);
  } finally {
    await db.destroy();
  }
}
