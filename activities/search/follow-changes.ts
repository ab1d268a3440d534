import type { Logger } from '../../runtime/logging/logger.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import {
  finishChanges,
  keepChanges,
  postponeChanges,
  takeChanges,
  type SearchChange,
  type SearchSource,
} from '../../storage/search/changes.js';
import type { Live } from './live-indexes.js';
import { explain, readSource } from './read-source.js';
import { writeBatch, type BatchDeps, type Entry } from './write-batch.js';

export interface FollowDeps extends BatchDeps {
  readonly objectStore: ObjectStore;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Small changes taken at once (one large change may come with them), and contents read in parallel. */
const mostSmall = 64;
const readers = 4;
/** Limit for the contents in memory, in UTF-16 code units of chunks plus numbers in vectors. */
const mostWeight = 16 * 1024 * 1024;
/** Seconds after which a change held by another process is taken again. */
const againSeconds = 120;
const mostTries = 5;

/**
 * Applies the pending changes to every index that can be written, and keeps them for those that cannot. Failed changes
 * are retried later, one by one. A change whose content still cannot be read while the object store works is given up
 * and counted as failed. Returns the number of chunks written, and whether more changes may be due.
 */
export async function followChanges(
  deps: FollowDeps,
  live: Live,
): Promise<{ readonly hasMore: boolean; readonly chunks: number }> {
  const changes = await takeChanges(deps.db, { limit: mostSmall, againSeconds });
  const isAlone = ({ tries, isLarge }: SearchChange): boolean => tries > 1 || isLarge;
  const together = changes.filter((change) => !isAlone(change));
  // A part becomes visible as a whole, so a large change gets a part of its own.
  const parts = [...inParts(together), ...changes.filter(isAlone).map((one) => [one])];
  let chunks = 0;
  for (const part of parts) {
    deps.assertOurs();
    chunks += await followPart(deps, live, part);
  }
  const large = changes.filter(({ isLarge }) => isLarge).length;
  return { hasMore: large > 0 || changes.length === mostSmall, chunks };
}

async function followPart(deps: FollowDeps, live: Live, part: readonly SearchChange[]): Promise<number> {
  let chunks = 0;
  let isRead = false;
  try {
    const entries = await readEntries(deps, part);
    isRead = true;
    for (const index of live.indexes) chunks += await writeBatch(deps, index, entries);
    await end(deps, live, part);
  } catch (err) {
    deps.signal.throwIfAborted();
    deps.assertOurs();
    const [alone] = part.length === 1 ? part : [];
    const isHopeless = !isRead && alone !== undefined && alone.tries >= mostTries;
    if (isHopeless && (await giveUp(deps, live, alone, err))) return chunks;
    deps.log.warn({ err, changes: part.length }, 'changes could not be indexed; retrying');
    const tries = Math.max(...part.map((change) => change.tries));
    await postponeChanges(deps.db, part, part.length > 1 ? 0 : Math.min(60, 2 ** tries / 2));
  }
  return chunks;
}

/** Ends changes that were applied. A skipped index gets them when it can be written again. */
const end = ({ db }: FollowDeps, { isComplete }: Live, changes: readonly SearchChange[]): Promise<void> =>
  isComplete ? finishChanges(db, changes) : keepChanges(db, changes);

/** Returns false if it cannot be told whether the change or the object store fails, or the index cannot be written. */
async function giveUp(deps: FollowDeps, live: Live, change: SearchChange, err: unknown): Promise<boolean> {
  const { resource_id, source } = change;
  const entry: Entry = { resource_id, source, chunks: [], error: explain(err), isRepeated: true };
  try {
    await deps.objectStore.check();
    for (const index of live.indexes) await writeBatch(deps, index, [entry]);
    await end(deps, live, [change]);
  } catch {
    return false;
  }
  deps.log.error({ err, resource_id }, 'a resource cannot be indexed');
  return true;
}

/** Reads the contents of entries. Unreadable content is logged. */
export async function readEntries(
  { db, objectStore, log, signal }: Pick<FollowDeps, 'db' | 'objectStore' | 'log' | 'signal'>,
  changes: readonly Pick<SearchChange, 'resource_id' | 'source' | 'tries'>[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let from = 0; from < changes.length; from += readers) {
    const some = changes.slice(from, from + readers).map(async ({ resource_id, source, tries }) => {
      const nothing = { chunks: [], error: null };
      const read = source === null ? nothing : await readSource({ db, objectStore }, source, signal);
      if (read.error !== null)
        log.warn({ resource_id, run: source?.run, reason: read.error }, 'a resource is only partly indexed');
      return { resource_id, source, ...read, isRepeated: tries > 1 };
    });
    // Await all of them: a second rejection must not go unhandled.
    const settled = await Promise.allSettled(some);
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason;
      entries.push(result.value);
    }
  }
  return entries;
}

/** Splits changes into parts that fit into memory, in order. */
export function* inParts<T extends { readonly source: SearchSource | null }>(
  changes: readonly T[],
): Generator<T[]> {
  let part: T[] = [];
  let weight = 0;
  for (const change of changes) {
    const { source } = change;
    const own = (source?.content?.size_bytes ?? 0) + (source?.vectors?.size_bytes ?? 0) / 4;
    if (part.length > 0 && weight + own > mostWeight) {
      yield part;
      [part, weight] = [[], 0];
    }
    part.push(change);
    weight += own;
  }
  if (part.length > 0) yield part;
}
