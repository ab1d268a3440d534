import { requestValue, toQuery } from './client.js';
import type { Page } from './types.js';

/** All pages of a list that is short by nature: pipelines, plugins. */
export async function loadAll<Item>(path: string, signal: AbortSignal): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query = toQuery({ limit: 200, cursor: cursor ?? undefined });
    const page: Page<Item> = await requestValue<Page<Item>>(path + query, { signal });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}
