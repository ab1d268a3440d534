import type { Config } from '../../runtime/settings/config.js';
import { asDatabaseError, connectDatabase, type Db } from '../../storage/database/connection.js';

/** Does some work on the database with a connection of its own. Throws what the work throws, and DATABASE_UNAVAILABLE. */
export async function withDatabase<T>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = connectDatabase(databaseUrl, { poolSize: 1 });
  try {
    return await work(db);
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    await db.destroy();
  }
}
