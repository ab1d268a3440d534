import { listSources, queueChange } from '../../storage/search/changes.js';
import { readIndexedRuns } from '../../storage/search/indexed.js';
import { noteFilled, noteUpkeep, type SearchIndex } from '../../storage/search/indexes.js';
import { inParts, readEntries, type FollowDeps } from './follow-changes.js';
import { againMs } from './upkeep.js';
import { writeBatch, type Entry } from './write-batch.js';

type Unread = Parameters<typeof readEntries>[1];

/** Resources handled per turn. */
const together = 100;

/**
 * Returns a function that fills an index by one part and returns the number of chunks written, or null after a failure.
 * Then it pauses and does nothing, so that the other index gets its changes and upkeep can free space meanwhile.
 */
export function createFilling(deps: FollowDeps): (index: SearchIndex) => Promise<number | null> {
  /** Indexes whose last part this process has filled: everything written after that is new in them. */
  const begun = new Set<number>();
  const failed = new Map<number, { readonly failures: number; readonly at: number }>();
  return async (index) => {
    const { id } = index;
    const last = failed.get(id);
    if (last !== undefined && performance.now() - last.at < againMs(last.failures)) return null;
    try {
      const chunks = await fillIndex(deps, index, !begun.has(id));
      begun.add(id);
      failed.delete(id);
      if (index.upkeep_failing_since !== null) await noteUpkeep(deps.db, id, false);
      return chunks;
    } catch (err) {
      deps.assertOurs();
      begun.delete(id);
      failed.set(id, { failures: (last?.failures ?? 0) + 1, at: performance.now() });
      deps.log.warn({ err, index: id }, 'the search index cannot be filled; retrying');
      await noteUpkeep(deps.db, id, true);
      return null;
    }
  };
}

/**
 * Continues to fill an index with older content, one part per turn. The database records where the last turn
 * ended. Returns the number of chunks written.
 *
 * @param isUnsure Whether an earlier process may have written some of the next part.
 */
export async function fillIndex(deps: FollowDeps, index: SearchIndex, isUnsure: boolean): Promise<number> {
  const { db } = deps;
  const sources = await listSources(db, { after: index.filled_up_to, limit: together });
  const ids = sources.map(({ resource_id }) => resource_id);
  const runs = await readIndexedRuns(db, index.id, ids);
  const missing = sources
    .filter(({ resource_id, run }) => (runs.get(resource_id)?.run ?? 0) < run)
    .map((source) => ({ resource_id: source.resource_id, source, tries: isUnsure ? 2 : 1 }));
  let chunks = 0;
  for (const part of inParts(missing)) {
    deps.assertOurs();
    const entries = await readEntries(deps, part).catch((error: unknown) => readOneByOne(deps, part, error));
    chunks += await writeBatch(deps, index, entries);
  }
  await noteFilled(db, index.id, { upTo: ids.at(-1) ?? null, isFilled: sources.length < together });
  return chunks;
}

/** Leaves what cannot be read to `followChanges`, which retries it and finally gives it up. */
async function readOneByOne(deps: FollowDeps, part: Unread, error: unknown): Promise<readonly Entry[]> {
  deps.signal.throwIfAborted();
  await deps.objectStore.check();
  const entries: Entry[] = [];
  const unread: string[] = [];
  for (const one of part) {
    const read = await readEntries(deps, [one]).catch(() => []);
    entries.push(...read);
    if (read.length === 0) unread.push(one.resource_id);
  }
  deps.signal.throwIfAborted();
  // If nothing of several can be read, the store is at fault.
  if (entries.length === 0 && part.length > 1) throw error;
  for (const id of unread) await queueChange(deps.db, id);
  return entries;
}
