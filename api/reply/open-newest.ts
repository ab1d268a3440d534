import { isUnreadable } from '../../storage/object-store/unreadable.js';

/** The maximum number of times a row may change to another object before giving up. */
const mostReplacements = 3;

/**
 * Calls `open` with a row and its stored bytes. If a run replaced the object after the row was read, reads the row again.
 */
export async function openNewest<Row extends { readonly object_key: string | null }, T>(
  read: () => Promise<Row>,
  open: (row: Row) => Promise<T>,
): Promise<T> {
  let before: string | null = null;
  for (let look = 0; ; look += 1) {
    const row = await read();
    try {
      return await open(row);
    } catch (error) {
      const isReplaced = row.object_key !== before && look < mostReplacements;
      if (!isUnreadable(error) || !isReplaced) throw error;
      before = row.object_key;
    }
  }
}
