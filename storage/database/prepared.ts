import type { Knex } from 'knex';
import type { Db } from './connection.js';

/**
 * A statement of constant text that is sent often: PostgreSQL parses and plans it once on each connection instead of for
 * each request (its protocol's named statements), and no builder puts it together again.
 *
 * @param name In the database's log; one text each.
 * @param sql With `?` for what is bound. It names its columns: a connection that parsed `select *` refuses it once a
 *   migration has added one.
 * @returns Sends it and resolves with its rows.
 */
export function prepared<Row>(
  name: string,
  sql: string,
): (db: Db, bindings: readonly Knex.Value[]) => Promise<Row[]> {
  return async (db, bindings) => {
    const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings).options({ name });
    return rows;
  };
}
