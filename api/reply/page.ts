import { isUuid } from '../../core/ids.js';
import type { TimePage } from '../../storage/database/newest-first.js';
import { loadPage, readPosition, timePosition, type Position } from '../lookups/pages.js';
import type { Reply } from '../route.js';

/** Replies with a page of a list that is ordered by time and whose items have UUIDs. */
export async function replyWithPage<Item extends Position>(
  { limit, cursor }: { readonly limit?: number; readonly cursor?: string },
  load: (page: TimePage) => Promise<readonly Item[]>,
  view: (item: Item) => object,
): Promise<Reply> {
  const before = readPosition(cursor, isUuid);
  const page = await loadPage(limit, (rows) => load({ limit: rows, before }), timePosition);
  return { status: 200, body: { ...page, items: page.items.map(view) } };
}
