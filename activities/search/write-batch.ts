import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexWriter, NewChunk } from '../../runtime/search/engine.js';
import type { Db } from '../../storage/database/connection.js';
import {
  noteVectorKinds,
  readIndexedRuns,
  removeIndexed,
  writeIndexed,
} from '../../storage/search/indexed.js';
import { nextWrite, type IndexedResource, type SearchIndex } from '../../storage/search/indexes.js';
import type { SearchSource } from '../../storage/search/changes.js';

/** The content that an index must hold for a resource. */
export interface Entry {
  readonly resource_id: string;
  /** Null: the resource is deleted, so nothing. */
  readonly source: SearchSource | null;
  readonly chunks: readonly NewChunk[];
  readonly error: string | null;
  /** Whether an earlier try may have left chunks behind. */
  readonly isRepeated: boolean;
}

/** Chunks per write, and their UTF-16 code units. New chunks are held in memory twice during a write. */
const [mostChunks, mostCharacters] = [2_000, 4 * 1024 * 1024];

export interface BatchDeps {
  readonly db: Db;
  readonly writer: IndexWriter;
  /** Throws if another process has taken the lease. */
  readonly assertOurs: () => void;
  /** Whether another process has taken the lease. */
  readonly isLost: () => boolean;
}

/**
 * Updates an index to match the entries. It writes new chunks, then switches the current run in the database,
 * then removes old chunks: a search sees either the old or the new state of a resource. Idempotent. Leftovers
 * of an interrupted call are hidden and removed next time. A process that was frozen while another one did
 * this work neither replaces nor removes newer content. Returns the number of chunks written.
 */
export async function writeBatch(
  deps: BatchDeps,
  index: SearchIndex,
  entries: readonly Entry[],
): Promise<number> {
  const { db, writer } = deps;
  const idsOf = (some: readonly Entry[]): string[] => some.map((entry) => entry.resource_id);
  const before = await readIndexedRuns(db, index.id, idsOf(entries));
  const isNew = ({ resource_id, source, error }: Entry): boolean => {
    const recorded = before.get(resource_id);
    if (source === null || recorded === undefined) return source !== null;
    // What was recorded with an error is written again if it can now be read without one.
    const isBetter = recorded.run === source.run && recorded.error !== null && error === null;
    return recorded.run < source.run || isBetter;
  };
  const fresh = entries.filter(isNew);
  const gone = entries.filter(({ source }) => source === null);
  const chunks = fresh.flatMap((entry) => entry.chunks);
  const writes: number[] = [];
  try {
    if (fresh.length > 0) await addChunks(deps, index, chunks, writes);
    const write = writes[0] ?? 0;
    deps.assertOurs();
    const shown = await db.transaction(async (trx) => {
      await noteVectorKinds(trx, index.id, vectorKindsOf(chunks));
      const written = await writeIndexed(
        trx,
        index.id,
        fresh.map((entry) => toIndexed(entry, write)),
      );
      await removeIndexed(trx, index.id, idsOf(gone));
      return written;
    });
    const late = fresh.filter(({ resource_id }) => !shown.has(resource_id));
    if (late.length > 0) await takeBack(writer, index, late, writes);
    const older = entries.flatMap((entry): { resource_id: string; write: number | null }[] => {
      const { resource_id, source, isRepeated } = entry;
      if (source === null) return [{ resource_id, write: null }];
      const earlier = before.get(resource_id);
      if (shown.has(resource_id)) return earlier !== undefined || isRepeated ? [{ resource_id, write }] : [];
      return earlier !== undefined && isRepeated ? [{ resource_id, write: earlier.write }] : [];
    });
    if (older.length > 0) await writer.removeOlder(index.id, older);
    return chunks.length;
  } catch (error) {
    // Another process may have written the same chunks meanwhile. Searches then read its rows, not these.
    if (deps.isLost()) await takeBackUnused(deps, index, fresh, writes).catch(() => undefined);
    throw error;
  }
}

/** Writes chunks in parts, and reserves a write number before each. Without chunks, there is one empty part. */
async function addChunks(
  { db, writer, assertOurs }: BatchDeps,
  index: SearchIndex,
  chunks: readonly NewChunk[],
  writes: number[],
): Promise<void> {
  for (const part of inParts(chunks)) {
    assertOurs();
    const write = await nextWrite(db, index.id);
    writes.push(write);
    await writer.add(index.id, write, part);
    await nextTurn();
  }
}

function* inParts(chunks: readonly NewChunk[]): Generator<readonly NewChunk[]> {
  let [from, characters] = [0, 0];
  for (const [at, { text }] of chunks.entries()) {
    characters += text.length;
    if (at === from || (at - from < mostChunks && characters <= mostCharacters)) continue;
    yield chunks.slice(from, at);
    [from, characters] = [at, text.length];
  }
  yield chunks.slice(from);
}

async function takeBack(
  writer: IndexWriter,
  index: SearchIndex,
  entries: readonly Entry[],
  writes: readonly number[],
): Promise<void> {
  const ids = entries.map((entry) => entry.resource_id);
  for (const write of writes) await writer.removeWrite(index.id, write, ids);
}

/**
 * Like `takeBack`, except for what searches already read: the call may have failed after the current run was switched.
 */
async function takeBackUnused(
  { db, writer }: BatchDeps,
  index: SearchIndex,
  entries: readonly Entry[],
  writes: readonly number[],
): Promise<void> {
  const ids = entries.map((entry) => entry.resource_id);
  const current = await readIndexedRuns(db, index.id, ids);
  const unused = entries.filter(({ resource_id }) => current.get(resource_id)?.write !== writes[0]);
  await takeBack(writer, index, unused, writes);
}

const toIndexed = (entry: Entry, write: number): IndexedResource => ({
  resource_id: entry.resource_id,
  run: entry.source?.run ?? 0,
  write,
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
