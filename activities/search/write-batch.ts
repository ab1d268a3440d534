import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexWriter, NewChunk } from '../../runtime/search/engine.js';
import type { Db } from '../../storage/database/connection.js';
import {
  noteVectorKinds,
  readIndexedRuns,
  removeIndexed,
  writeIndexed,
} from '../../storage/search/indexed.js';
import { nextWrite, type SearchIndex } from '../../storage/search/indexes.js';
import type { SearchSource } from '../../storage/search/changes.js';

/** What an index is to hold of a resource. */
export interface Entry {
  readonly resource_id: string;
  /** Null: nothing, the resource is deleted. */
  readonly source: SearchSource | null;
  readonly chunks: readonly NewChunk[];
  readonly error: string | null;
  /** Whether an earlier try may have left chunks behind. */
  readonly isRepeated: boolean;
}

/** Chunks in one write: what is added is held in memory twice meanwhile. */
const together = 2_000;

export interface BatchDeps {
  readonly db: Db;
  readonly writer: IndexWriter;
  /** Throws once another process has the lease. */
  readonly assertOurs: () => void;
}

/**
 * Brings an index to what entries say. New chunks are written first, then the database says which run counts, then the
 * chunks of other runs go: a search sees a resource as it was or as it is. Done twice, it changes nothing the second time;
 * broken off anywhere, what is left behind is not shown, and goes the next time. Returns the number of chunks written.
 */
export async function writeBatch(
  { db, writer, assertOurs }: BatchDeps,
  index: SearchIndex,
  entries: readonly Entry[],
): Promise<number> {
  const before = await readIndexedRuns(
    db,
    index.id,
    entries.map((entry) => entry.resource_id),
  );
  const isNew = ({ resource_id, source }: Entry): boolean =>
    source !== null && before.get(resource_id) !== source.run;
  const fresh = entries.filter(isNew);
  const leftBehind = fresh.filter(({ isRepeated }) => isRepeated).map(toRun);
  if (leftBehind.length > 0) await writer.removeRuns(index.id, leftBehind);

  const chunks = fresh.flatMap((entry) => entry.chunks);
  for (let from = 0; from < chunks.length; from += together) {
    assertOurs();
    await writer.add(index.id, await nextWrite(db, index.id), chunks.slice(from, from + together));
    await nextTurn();
  }
  assertOurs();
  await db.transaction(async (trx) => {
    await noteVectorKinds(trx, index.id, vectorKindsOf(chunks));
    await writeIndexed(trx, index.id, fresh.map(toIndexed));
    const gone = entries.filter(({ source }) => source === null);
    await removeIndexed(
      trx,
      index.id,
      gone.map((entry) => entry.resource_id),
    );
  });
  const stale = entries.filter(
    (entry) => entry.source === null || entry.isRepeated || (isNew(entry) && before.has(entry.resource_id)),
  );
  if (stale.length > 0)
    await writer.removeOthers(
      index.id,
      stale.map(({ resource_id, source }) => ({ resource_id, run: source?.run ?? null })),
    );
  return chunks.length;
}

const toRun = ({ resource_id, source }: Entry): { resource_id: string; run: number } => ({
  resource_id,
  run: source?.run ?? 0,
});

const toIndexed = (entry: Entry): Parameters<typeof writeIndexed>[2][number] => ({
  ...toRun(entry),
  artifact_id: entry.source?.artifact_id ?? null,
  chunks: entry.chunks.length,
  error: entry.error,
});

function vectorKindsOf(chunks: readonly NewChunk[]): { dimensions: number; model: string }[] {
  const kinds = new Map<string, { dimensions: number; model: string }>();
  for (const { vector } of chunks) {
    if (vector === null) continue;
    const dimensions = vector.values.length;
    kinds.set(`${dimensions} ${vector.model}`, { dimensions, model: vector.model });
  }
  return [...kinds.values()];
}
