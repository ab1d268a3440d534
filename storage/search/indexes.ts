import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';

/** An index that was begun. Its tables are named by its id. */
export interface SearchIndex {
  readonly id: number;
  readonly uri: string;
  readonly format: number;
  readonly state: 'BUILDING' | 'CURRENT' | 'RETIRED';
  readonly created_at: Date;
  /** Resources up to this one were looked at. */
  readonly filled_up_to: string | null;
  readonly is_filled: boolean;
  /** Grows with each write that searches are to see. */
  readonly version: number;
  /** The number of the last write, and of the last one that the full text index holds. */
  readonly writes: number;
  readonly indexed_writes: number;
  readonly resources: number;
  readonly chunks: number;
  readonly failed: number;
  /** Since when the index cannot be brought up to date; null: it can. */
  readonly upkeep_failing_since: Date | null;
}

/** The run of a resource whose chunks an index holds. */
export interface IndexedResource {
  readonly resource_id: string;
  readonly run: number;
  readonly artifact_id: string | null;
  readonly chunks: number;
  /** The number of the first write of its chunks. */
  readonly write: number;
  readonly error: string | null;
}

/** Vectors of one length and one model. */
export interface VectorKind {
  readonly dimensions: number;
  /** Empty where nothing says which. */
  readonly model: string;
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

/** The index that answers searches, or null before the first was begun. */
export async function readCurrentIndex(db: Db): Promise<SearchIndex | null> {
  return (await current(db, []))[0] ?? null;
}

/** The indexes that follow changes: the current one, and the one that is being built. */
export async function listLiveIndexes(db: Db): Promise<readonly SearchIndex[]> {
  return (await db('search_indexes')
    .select(...columns)
    .whereNot('state', 'RETIRED')
    .orderBy('id')) as SearchIndex[];
}

/** Begins an index, unless there is one in that state. Returns whether there was none. */
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

/** Has the index that was built answer searches from now on, unless it was given up or does so already. */
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

/** Gives an index up: one that was to be built and cannot be. */
export async function retireIndex(db: Db, id: number): Promise<void> {
  await db('search_indexes').where({ id }).update({ state: 'RETIRED', retired_at: db.fn.now() });
}

/** Indexes that are no longer read: they were retired this long ago. */
export async function listRetiredIndexes(db: Db, afterSeconds: number): Promise<readonly SearchIndex[]> {
  return (await db('search_indexes')
    .select(...columns)
    .where({ state: 'RETIRED' })
    .whereRaw('retired_at <= now() - make_interval(secs => ?)', [afterSeconds])) as SearchIndex[];
}

/** Forgets an index whose tables are gone. */
export async function removeIndex(db: Db, id: number): Promise<void> {
  await db('search_indexes').where({ id, state: 'RETIRED' }).delete();
}

/** Notes how far an index has been filled with what was there before it. */
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

/** Notes whether an index could be brought up to date. */
export async function noteUpkeep(db: Db, id: number, isFailing: boolean): Promise<void> {
  const query = db('search_indexes').where({ id });
  if (isFailing) await query.whereNull('upkeep_failing_since').update({ upkeep_failing_since: db.fn.now() });
  else await query.whereNotNull('upkeep_failing_since').update({ upkeep_failing_since: null });
}

/** Has searches look at the index anew; `indexedWrites`: up to which write the full text index holds everything. */
export async function noteVersion(db: Db, id: number, indexedWrites: number | null): Promise<void> {
  await db('search_indexes')
    .where({ id })
    .increment('version', 1)
    .update(indexedWrites === null ? {} : { indexed_writes: indexedWrites });
}
