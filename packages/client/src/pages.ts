import type { Answer } from './api.js';
import { toApiError } from './errors.js';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** A batch of items, and whether more exist. */
export interface Lot<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

/** The query parameters of a list that select a page. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** The maximum page size of the API. */
const largestPage = 200;

/**
 * Yields a list page by page.
 *
 * @param load Requests a page, as in `(page) => client.GET('/plugins', { params: { query: page } })`.
 * @param most Maximum number of items over all pages.
 */
export async function* listPages<Item>(
  load: (page: PageQuery) => Promise<Answer<Page<Item>>>,
  most = Infinity,
): AsyncGenerator<Lot<Item>> {
  let left = most;
  for (let cursor: string | undefined; left > 0;) {
    const limit = Math.min(left, largestPage);
    const { status, value } = await load({ limit, ...(cursor !== undefined && { cursor }) });
    // Another server may answer with JSON of its own.
    if (!Array.isArray((value as Page<Item> | null)?.items)) throw toApiError(status, null, '');
    left -= value.items.length;
    yield { items: value.items, more: value.next_cursor !== null };
    if (value.next_cursor === null) return;
    cursor = value.next_cursor;
  }
}

/** Returns all items of a list. */
export async function listAll<Item>(load: (page: PageQuery) => Promise<Answer<Page<Item>>>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const { items } of listPages(load)) all.push(...items);
  return all;
}
