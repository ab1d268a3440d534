import type { Client, RequestOptions } from './client.js';

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** What comes at a time, and whether there is more behind it. */
export interface Lot<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/** The most items that the API gives at once. */
const largestPage = 200;

/**
 * A list, page by page.
 *
 * @param most Items at most, over all pages.
 */
export async function* listPages<T>(
  client: Client,
  path: string,
  query: RequestOptions['query'] = {},
  most = Infinity,
): AsyncGenerator<Lot<T>> {
  let left = most;
  for (let cursor: string | undefined; ;) {
    const limit = Math.min(left, largestPage);
    const { body } = await client.call<Page<T>>('GET', path, { query: { ...query, limit, cursor } });
    left -= body.items.length;
    yield { items: body.items, more: body.next_cursor !== null };
    if (body.next_cursor === null || left <= 0) return;
    cursor = body.next_cursor;
  }
}

/** A list as a whole. */
export async function listAll<T>(
  client: Client,
  path: string,
  query: RequestOptions['query'] = {},
): Promise<T[]> {
  const all: T[] = [];
  for await (const { items } of listPages<T>(client, path, query)) all.push(...items);
  return all;
}
