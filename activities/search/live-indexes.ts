import type { Logger } from '../../runtime/logging/logger.js';
import { tableFormat } from '../../runtime/search/lance/rows.js';
import type { IndexWriter } from '../../runtime/search/engine.js';
import type { Db } from '../../storage/database/connection.js';
import { releaseChanges } from '../../storage/search/changes.js';
import {
  beginIndex,
  listLiveIndexes,
  noteUpkeep,
  renewIndex,
  retireIndex,
  type SearchIndex,
} from '../../storage/search/indexes.js';

const probeEveryMs = 2_000;

const difference = 'this worker has a different KW_SEARCH_URI or version';
const abandoned = `the rebuild of the search index was abandoned: ${difference}`;
const taken = 'the tables of the new search index already hold other content; the index gets a new id';
const ignored = `the search index gets no changes: ${difference}`;

/** The indexes that can be written to. */
export interface Live {
  readonly indexes: readonly SearchIndex[];
  /** Whether no other index needs the changes that these get. */
  readonly isComplete: boolean;
}

export type LiveIndexes = () => Promise<Live>;

/**
 * Creates the first index and the tables of new ones, and skips indexes that cannot be written: missing, damaged,
 * stored elsewhere or of another version. These are reported, and replaced only by a rebuild, since a missing index may
 * be on a disk that is not mounted yet. When the set of skipped indexes changes, the kept changes become due: they may
 * now reach every index.
 */
export function createLiveIndexes(
  db: Db,
  writer: IndexWriter,
  uri: string,
  log: Logger,
  clock: () => number = () => performance.now(),
): LiveIndexes {
  let skippedBefore = '';
  /** Indexes of another location or format that were reported. */
  const foreign = new Set<number>();
  const probed = new Map<number, { readonly at: number; readonly isUsable: boolean }>();

  const probe = async (index: SearchIndex): Promise<boolean> => {
    try {
      if (index.writes === 0 && !(await writer.prepare(index.id))) {
        if (await renewIndex(db, index.id)) log.warn({ index: index.id }, taken);
        return false;
      }
      await writer.countUnindexed(index.id);
      return true;
    } catch (err) {
      if (probed.get(index.id)?.isUsable !== false)
        log.error({ err, index: index.id }, 'the search index cannot be written; see kw search status');
      // Searches tell whether the current index can be read. Only this tells why a rebuild makes no progress.
      if (index.state === 'BUILDING') await noteUpkeep(db, index.id, true);
      return false;
    }
  };

  const isUsable = async (index: SearchIndex): Promise<boolean> => {
    if (index.uri !== uri || index.format !== tableFormat) {
      const isBuilding = index.state === 'BUILDING';
      const about = { index: index.id, uri: index.uri, format: index.format };
      const worker = { uri, format: tableFormat };
      if (!foreign.has(index.id)) log.error({ ...about, worker }, isBuilding ? abandoned : ignored);
      foreign.add(index.id);
      if (isBuilding) await retireIndex(db, index.id);
      return false;
    }
    const last = probed.get(index.id);
    const now = clock();
    if (last !== undefined && now - last.at < probeEveryMs) return last.isUsable;
    probed.set(index.id, { at: now, isUsable: await probe(index) });
    return probed.get(index.id)?.isUsable === true;
  };

  return async () => {
    let indexes = await listLiveIndexes(db);
    if (!indexes.some(({ state }) => state === 'CURRENT')) {
      await beginIndex(db, { uri, format: tableFormat, state: 'CURRENT' });
      indexes = await listLiveIndexes(db);
    }
    const usable: SearchIndex[] = [];
    const skipped: number[] = [];
    for (const index of indexes) {
      if (await isUsable(index)) usable.push(index);
      else skipped.push(index.id);
    }
    if (skipped.join() !== skippedBefore) await releaseChanges(db);
    skippedBefore = skipped.join();
    return { indexes: usable, isComplete: skipped.length === 0 };
  };
}
