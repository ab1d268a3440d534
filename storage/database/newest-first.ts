import type { Knex } from 'knex';

/** A page of a list, newest first: at most `limit` rows, older than the row `before`. */
export interface TimePage {
  readonly limit: number;
  readonly before: { readonly created_at: Date; readonly id: string } | null;
}

/** Restricts a query to a page; the columns are those with the time and the id. */
export const newestFirst =
  ({ limit, before }: TimePage, time = 'created_at', id = 'id') =>
  (query: Knex.QueryBuilder): void => {
    if (before !== null) void query.whereRaw(`(${time}, ${id}) < (?, ?)`, [before.created_at, before.id]);
    void query.orderByRaw(`${time} desc, ${id} desc`).limit(limit);
  };
