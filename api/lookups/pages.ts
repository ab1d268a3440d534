import { validationFailed } from '../../core/errors.js';
import { isInstant } from '../../core/instants.js';
import type { TimePage } from '../../storage/database/newest-first.js';

/** The item below which a page begins, in a list ordered by time, newest first. */
export type Position = NonNullable<TimePage['before']>;

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

const defaultLimit = 50;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns the error for a cursor that is not from this list. */
export function refuseCursor(): Error {
  return validationFailed({ path: '/cursor', message: 'is not a next_cursor of this list' });
}

/** Returns the value encoded in a cursor. Throws VALIDATION_FAILED for an invalid cursor. */
export function readCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuseCursor();
  }
}

/** Reads the position in a cursor; null without one. Throws VALIDATION_FAILED unless `isId` accepts its id. */
export function readPosition(cursor: string | undefined, isId: (id: string) => boolean): Position | null {
  if (cursor === undefined) return null;
  const value = readCursor(cursor);
  const [time, id] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (typeof time !== 'string' || !isInstant(time) || typeof id !== 'string' || !isId(id))
    throw refuseCursor();
  return { created_at: new Date(time), id };
}

/** Reads the number in a cursor; null without one. Throws VALIDATION_FAILED. */
export function readNumber(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const value = readCursor(cursor);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 31 - 1)
    throw refuseCursor();
  return value;
}

/**
 * Returns a page of at most `limit` items. `load` gets one more than that, to see whether there is another page;
 * `positionOf` returns what the cursor of an item encodes. The page ends before the first item for which `fits` is
 * false.
 */
export async function loadPage<Item>(
  limit: number = defaultLimit,
  load: (limit: number) => Promise<readonly Item[]>,
  positionOf: (item: Item) => unknown,
  fits: (item: Item) => boolean = () => true,
): Promise<Page<Item>> {
  const found = await load(limit + 1);
  const tooMuch = found.findIndex((item) => !fits(item));
  const items = found.slice(0, tooMuch === -1 ? limit : Math.min(limit, tooMuch));
  const last = items.at(-1);
  const hasMore = found.length > items.length;
  return { items, next_cursor: hasMore && last !== undefined ? encode(positionOf(last)) : null };
}

/** Returns what the cursor of an item encodes in a list that is ordered by time. */
export function timePosition(item: Position): unknown {
  return [item.created_at.toISOString(), item.id];
}
