import type { Logger } from '../../runtime/logging/logger.js';
import type { IndexWriter } from '../../runtime/search/engine.js';
import type { Db } from '../../storage/database/connection.js';
import {
  listRetiredIndexes,
  noteIndexedWrites,
  noteUpkeep,
  noteVersion,
  removeIndex,
  type SearchIndex,
} from '../../storage/search/indexes.js';

/**
 * Numbers of chunks outside the full text index, which each search scans one by one (8 ms per thousand). From the first
 * number on, the index is brought up to date after the pause of upkeep; from the second on, immediately.
 */
const [someChunks, manyChunks] = [1_000, 10_000];
/**
 * In a small index, one new chunk in twenty is enough. LanceDB (seen with 0.30) mistakes the number of occurrences in
 * new chunks for the number of chunks: if they are many, a frequent word in them would count for nothing.
 */
const smallShare = 1 / 20;
/** How long there must be no writes before a few chunks are brought up to date. */
const quietMs = 2_000;
/** Upkeep pauses for these multiples of its last duration, while there are writes and without, unless many chunks wait. */
const [busyRest, quietRest] = [9, 4];
/** How often old versions are removed, even if nothing is indexed. */
const cleanEveryMs = 5 * 60_000;
/** Old versions are kept for running readers. All are gone this long after the last write. */
const keptMs = 11 * 60_000;
const retiredSeconds = 60;
/** Retry delay after this many failures. It doubles each time, up to a minute. */
export const againMs = (failures: number): number => Math.min(60_000, 2_000 * 2 ** (failures - 1));
/** Longer than upkeep takes with millions of chunks. Longer runs are reported, since they may never end. */
const longMs = 15 * 60_000;

/** Logged when the remedy below worked. */
export const remade = 'the full text index could not be updated and was rebuilt';

/** Keeps indexes fast while they are being written. */
export interface Upkeep {
  /** Call after each round; `chunks` were written to each index in it. */
  afterRound(indexes: readonly SearchIndex[], chunks: number): void;
  idle(): Promise<void>;
}

export function createUpkeep(db: Db, writer: IndexWriter, uri: string, log: Logger): Upkeep {
  let working: Promise<void> | null = null;
  /** Null: not counted yet. */
  let unindexed: number | null = null;
  let [wroteAt, endedAt, tookMs] = [performance.now(), performance.now(), 0];
  /** Whether old versions exist that must be removed. */
  let hasOld = true;
  let failures = 0;

  const isDue = (now: number, count: number, chunks: number): boolean => {
    if (failures > 0 && now - endedAt < againMs(failures)) return false;
    if (hasOld && now - endedAt > cleanEveryMs) return true;
    if (count === 0) return false;
    if (count >= manyChunks) return true;
    const isQuiet = now - wroteAt > quietMs;
    const isRested = now - endedAt > (isQuiet ? quietRest : busyRest) * tookMs;
    return isRested && (isQuiet || count >= Math.min(someChunks, chunks * smallShare));
  };

  const count = async (indexes: readonly SearchIndex[]): Promise<void> => {
    let sum = 0;
    for (const { id, writes, indexed_writes: indexed } of indexes) {
      const found = await writer.countUnindexed(id);
      sum += found;
      // Upkeep may have covered writes that arrived while it ran, and a write may have no chunks.
      if (found === 0 && writes !== indexed) await noteIndexedWrites(db, id, writes);
    }
    unindexed = sum;
  };

  /** Runs upkeep of an index and records the result for the status. */
  const noting = async (id: number, work: () => Promise<void>): Promise<void> => {
    const watch = setTimeout(() => {
      log.error(
        { index: id },
        'the upkeep of the search index is taking too long; restart the worker if it does not end',
      );
      void noteUpkeep(db, id, true).catch(() => undefined);
    }, longMs);
    try {
      await work();
      await noteUpkeep(db, id, false);
    } catch (err) {
      await noteUpkeep(db, id, true);
      throw err;
    } finally {
      clearTimeout(watch);
    }
  };

  const optimize = async (indexes: readonly SearchIndex[]): Promise<void> => {
    const begun = performance.now();
    // First, because on a full disk the rest fails until this frees space.
    await dropRetired(db, writer, uri, log);
    for (const index of indexes) {
      await noting(index.id, async () => {
        const failure = await writer.optimize(index.id);
        if (failure !== null) log.warn({ err: failure, index: index.id }, remade);
      });
      await noteVersion(db, index.id, index.writes);
    }
    hasOld = begun - wroteAt < keptMs;
    endedAt = performance.now();
    tookMs = endedAt - begun;
    failures = 0;
    await count(indexes);
  };

  const start = (work: Promise<void>): void => {
    working = work
      .catch((err: unknown) => {
        endedAt = performance.now();
        failures++;
        log.warn({ err }, 'the search index could not be brought up to date; retrying');
      })
      .finally(() => (working = null));
  };

  return {
    afterRound(indexes, chunks) {
      const now = performance.now();
      if (chunks > 0) {
        [wroteAt, hasOld] = [now, true];
        if (unindexed !== null) unindexed += chunks;
      }
      if (working !== null || indexes.length === 0) return;
      const most = Math.max(...indexes.map((index) => index.chunks));
      if (isDue(now, unindexed ?? chunks, most)) start(optimize(indexes));
      else if (chunks === 0 && (unindexed === null || isBehind(unindexed, indexes))) start(count(indexes));
    },
    async idle() {
      await working;
    },
  };
}

/** Whether chunks are counted as indexed, but not their writes. */
const isBehind = (unindexed: number, indexes: readonly SearchIndex[]): boolean =>
  unindexed === 0 && indexes.some((index) => index.writes !== index.indexed_writes);

/**
 * Removes retired indexes, and their tables if they are at the location of the writer: there, the tables of an index of
 * another location may be those of another database.
 */
async function dropRetired(db: Db, writer: IndexWriter, uri: string, log: Logger): Promise<void> {
  try {
    for (const index of await listRetiredIndexes(db, retiredSeconds)) {
      if (index.uri === uri) await writer.drop(index.id);
      else log.warn({ index: index.id, uri: index.uri }, leftBehind(index.id));
      await removeIndex(db, index.id);
    }
  } catch (err) {
    log.warn({ err }, 'an old search index could not be removed; retrying');
  }
}

const leftBehind = (id: number): string =>
  `an old search index is not at the location of KW_SEARCH_URI; delete chunks_${id}.lance and vectors_${id}_*.lance at its location yourself`;
