import { validationFailed } from '../../core/errors.js';

/** Where a page of a list that is ordered by time, newest first, begins: below this item. */
export interface Position {
  readonly created_at: Date;
  readonly id: string;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

const defaultLimit = 50;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The error for a cursor that is not from this list. */
export function refuseCursor(): Error {
  return validationFailed({ path: '/cursor', message: 'is not a next_cursor of this list' });
}

/** What the cursor of an item names. Throws VALIDATION_FAILED for what is no cursor. */
export function readCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuseCursor();
  }
}

/** The position that a cursor names, null without one. Throws VALIDATION_FAILED unless `isId` accepts its id. */
export function readPosition(cursor: string | undefined, isId: (id: string) => boolean): Position | null {
  if (cursor === undefined) return null;
  const value = readCursor(cursor);
  const [time, id] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (typeof time !== 'string' || typeof id !== 'string' || !isId(id)) throw refuseCursor();
  const created_at = new Date(time);
  if (Number.isNaN(created_at.getTime()) || created_at.toISOString() !== time) throw refuseCursor();
  return { created_at, id };
}

/** The number that a cursor names, null without one. Throws VALIDATION_FAILED. */
export function readNumber(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const value = readCursor(cursor);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 31 - 1)
    throw refuseCursor();
  return value;
}

/**
 * A page of at most `limit` items. `load` gets one more than that, to see whether there is another page; `positionOf`
 * says what the cursor of an item names. The page ends before the first item for which `fits` is false.
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

/** What the cursor of an item names in a list that is ordered by time. */
export function timePosition(item: Position): unknown {
  return [item.created_at.toISOString(), item.id];
}
