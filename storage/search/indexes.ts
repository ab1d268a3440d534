import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';

/** A search index. Its tables are named after its id. */
export interface SearchIndex {
  readonly id: number;
  readonly uri: string;
  readonly format: number;
  readonly state: 'BUILDING' | 'CURRENT' | 'RETIRED';
  readonly created_at: Date;
  /** Resources up to this one were processed. */
  readonly filled_up_to: string | null;
  readonly is_filled: boolean;
  /** Incremented by each write that searches must see. */
  readonly version: number;
  /** The number of the last write, and of the last one in the full text index. */
  readonly writes: number;
  readonly indexed_writes: number;
  readonly resources: number;
  readonly chunks: number;
  readonly failed: number;
  /** Since when upkeep, or filling the index, has failed; null if it succeeds. */
  readonly upkeep_failing_since: Date | null;
}

/** The run of a resource whose chunks an index contains. */
export interface IndexedResource {
  readonly resource_id: string;
  readonly run: number;
  readonly artifact_id: string | null;
  readonly chunks: number;
  /** The number of the first write of its chunks. */
  readonly write: number;
  readonly error: string | null;
}

const columns = [
  'id',
  'uri',
  'format',
  'state',
  'created_at',
  'filled_up_to',
  'is_filled',
  'version',
  'writes',
  'indexed_writes',
  'resources',
  'chunks',
  'failed',
  'upkeep_failing_since',
] as const;

const current = prepared<SearchIndex>(
  'read_search_index',
  `select ${columns.join(', ')} from search_indexes where state = 'CURRENT'`,
);

/** The index that answers searches, or null if there is none yet. */
export async function readCurrentIndex(db: Db): Promise<SearchIndex | null> {
  return (await current(db, []))[0] ?? null;
}

/** The indexes that receive changes: the current one, and the one under construction. */
export async function listLiveIndexes(db: Db): Promise<readonly SearchIndex[]> {
  return (await db('search_indexes')
    .select(...columns)
    .whereNot('state', 'RETIRED')
    .orderBy('id')) as SearchIndex[];
}

/** Creates an index, unless there already is one in that state. Returns whether it was created. */
export async function beginIndex(
  db: Db,
  index: Pick<SearchIndex, 'uri' | 'format'> & { readonly state: 'BUILDING' | 'CURRENT' },
): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `insert into search_indexes (uri, format, state) values (?, ?, ?)
     on conflict (state) where state <> 'RETIRED' do nothing`,
    [index.uri, index.format, index.state],
  );
  return rowCount > 0;
}

/** Makes the newly built index the current one, unless it was abandoned or already is. */
export async function switchIndexes(db: Db, id: number): Promise<void> {
  await db.transaction(async (trx) => {
    const isBuilt = await trx('search_indexes').where({ id, state: 'BUILDING' }).first('id').forUpdate();
    if (isBuilt === undefined) return;
    await trx('search_indexes')
      .where({ state: 'CURRENT' })
      .whereNot({ id })
      .update({ state: 'RETIRED', retired_at: trx.fn.now() });
    await trx('search_indexes').where({ id, state: 'BUILDING' }).update({ state: 'CURRENT' });
  });
}

/** Abandons an index whose construction failed. */
export async function retireIndex(db: Db, id: number): Promise<void> {
  await db('search_indexes').where({ id }).update({ state: 'RETIRED', retired_at: db.fn.now() });
}

/**
 * Gives a new id to an index that nothing was written to, because the tables of its id have content. They are from
 * before a restore, or belong to another database with the same location, so they are left alone. Returns false if
 * something was written meanwhile: then this process was suspended, and what it saw in the tables is the work of its
 * successor. Each write is numbered before it is made, and waits for this.
 */
export async function renewIndex(db: Db, id: number): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const unwritten = await trx('search_indexes')
      .where({ id, writes: 0 })
      .whereNot({ state: 'RETIRED' })
      .first('uri', 'format', 'state', 'created_at')
      .forUpdate();
    if (unwritten === undefined) return false;
    await trx('search_indexes').where({ id }).delete();
    await trx('search_indexes').insert(unwritten);
    return true;
  });
}

/** Indexes that were retired at least this long ago, so that no process reads them any more. */
export async function listRetiredIndexes(db: Db, afterSeconds: number): Promise<readonly SearchIndex[]> {
  return (await db('search_indexes')
    .select(...columns)
    .where({ state: 'RETIRED' })
    .whereRaw('retired_at <= now() - make_interval(secs => ?)', [afterSeconds])) as SearchIndex[];
}

/** Deletes the record of an index whose tables have been removed. */
export async function removeIndex(db: Db, id: number): Promise<void> {
  await db('search_indexes').where({ id, state: 'RETIRED' }).delete();
}

/** Records how far an index has been filled with existing resources. */
export async function noteFilled(
  db: Db,
  id: number,
  { upTo, isFilled }: { readonly upTo: string | null; readonly isFilled: boolean },
): Promise<void> {
  await db('search_indexes')
    .where({ id })
    .update({ is_filled: isFilled, ...(upTo !== null && { filled_up_to: upTo }) });
}

/** Reserves the number of the next write. */
export async function nextWrite(db: Db, id: number): Promise<number> {
  const [row] = (await db('search_indexes').where({ id }).increment('writes', 1).returning('writes')) as [
    { writes: number },
  ];
  return row.writes;
}

/** Records whether upkeep or filling of an index succeeded. */
export async function noteUpkeep(db: Db, id: number, isFailing: boolean): Promise<void> {
  const query = db('search_indexes').where({ id });
  if (isFailing) await query.whereNull('upkeep_failing_since').update({ upkeep_failing_since: db.fn.now() });
  else await query.whereNotNull('upkeep_failing_since').update({ upkeep_failing_since: null });
}

/** Since when upkeep or filling of any of these indexes has failed; null if all succeed. */
export const failingSince = (indexes: readonly SearchIndex[]): Date | null =>
  indexes.find((index) => index.upkeep_failing_since !== null)?.upkeep_failing_since ?? null;

/** Makes searches reopen the index, whose full text index contains all writes up to this one. */
export async function noteVersion(db: Db, id: number, indexedWrites: number): Promise<void> {
  await db('search_indexes').where({ id }).increment('version', 1).update({ indexed_writes: indexedWrites });
}

/** Records that the full text index contains all writes up to this one, which searches need not hurry to see. */
export async function noteIndexedWrites(db: Db, id: number, indexedWrites: number): Promise<void> {
  await db('search_indexes').where({ id }).update({ indexed_writes: indexedWrites });
}
