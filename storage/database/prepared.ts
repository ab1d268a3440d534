import type { Knex } from 'knex';
import type { Db } from './connection.js';

/**
 * A frequently used statement with constant text. PostgreSQL parses and plans it once per connection instead of once
 * per request (named statements of its protocol), and no query builder has to assemble it.
 *
 * @param name Appears in the database's log; must be unique for each text.
 * @param sql With `?` for bindings. It must list its columns: a prepared `select *` fails once a migration has added
 *    one.
 * @returns A function that executes it and resolves with its rows.
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
