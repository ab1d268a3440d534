import type { Logger } from '../../runtime/logging/logger.js';
import type { IndexWriter } from '../../runtime/search/engine.js';
import type { Db } from '../../storage/database/connection.js';
import {
  listRetiredIndexes,
  noteVersion,
  removeIndex,
  type SearchIndex,
} from '../../storage/search/indexes.js';

/** Chunks outside the full text index from which on it is brought up to date; searches read them one by one. */
const [someChunks, manyChunks] = [200, 2_000];
/** How long nothing was written before few are. */
const quietMs = 2_000;
/** At most this share of the time goes into it while there are not many. */
const restFactor = 4;
/** Old versions are removed this often, also when nothing is to be indexed. */
const cleanEveryMs = 5 * 60_000;
const retiredSeconds = 60;

/** Keeps indexes fast, beside what is being written. */
export interface Upkeep {
  /** To be called after each round; `chunks` were written to each index in it. */
  afterRound(indexes: readonly SearchIndex[], chunks: number): void;
  idle(): Promise<void>;
}

export function createUpkeep(db: Db, writer: IndexWriter, log: Logger): Upkeep {
  let working: Promise<void> | null = null;
  let [unindexed, wroteAt, endedAt, tookMs] = [Infinity, 0, 0, 0];

  const isDue = (now: number): boolean => {
    if (now - endedAt > cleanEveryMs) return true;
    if (unindexed === 0) return false;
    const isRested = now - endedAt > restFactor * tookMs;
    if (unindexed >= manyChunks) return isRested || unindexed >= 2 * manyChunks;
    return isRested && (unindexed >= someChunks || now - wroteAt > quietMs);
  };

  const optimize = async (index: SearchIndex): Promise<void> => {
    try {
      await writer.optimize(index.id);
      await noteVersion(db, index.id, index.writes);
    } catch (err) {
      log.warn({ err, index: index.id }, 'the search index could not be brought up to date; tried again');
    }
  };

  return {
    afterRound(indexes, chunks) {
      const now = performance.now();
      if (chunks > 0) {
        wroteAt = now;
        unindexed += chunks;
      }
      if (working !== null || !isDue(now)) return;
      const begunWith = unindexed;
      working = (async () => {
        for (const index of indexes) await optimize(index);
        await dropRetired(db, writer, log);
      })().finally(() => {
        endedAt = performance.now();
        tookMs = endedAt - now;
        unindexed = Number.isFinite(begunWith) ? unindexed - begunWith : 0;
        working = null;
      });
    },
    async idle() {
      await working;
    },
  };
}

/** Removes the tables of indexes that nobody reads any more. */
async function dropRetired(db: Db, writer: IndexWriter, log: Logger): Promise<void> {
  try {
    for (const { id } of await listRetiredIndexes(db, retiredSeconds)) {
      await writer.drop(id);
      await removeIndex(db, id);
    }
  } catch (err) {
    log.warn({ err }, 'an old search index could not be removed; tried again');
  }
}
