import type { VectorKind } from '../../core/documents/vectors.js';
import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';
import type { IndexedResource } from './indexes.js';

/** The indexed runs of resources, by resource id. */
export async function readIndexedRuns(
  db: Db,
  indexId: number,
  resourceIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<IndexedResource, 'run' | 'write' | 'error'>>> {
  const rows: Pick<IndexedResource, 'resource_id' | 'run' | 'write' | 'error'>[] = await db('search_indexed')
    .select('resource_id', 'run', 'write', 'error')
    .where({ index_id: indexId })
    .whereIn('resource_id', resourceIds);
  return new Map(rows.map((row) => [row.resource_id, row]));
}

const write = prepared<{ readonly resource_id: string }>(
  'write_search_indexed',
  `with given as (
     select * from unnest(?::uuid[], ?::int[], ?::uuid[], ?::int[], ?::bigint[], ?::text[])
       as g (resource_id, run, artifact_id, chunks, write, error)
     where exists (select from resources r where r.id = g.resource_id)
   ), before as (
     select i.* from search_indexed i join given g using (resource_id) where i.index_id = ?
   ), written as (
     insert into search_indexed as i (index_id, resource_id, run, artifact_id, chunks, write, error)
     select ?, resource_id, run, artifact_id, chunks, write, error from given
     on conflict (index_id, resource_id) do update
       set run = excluded.run, artifact_id = excluded.artifact_id, chunks = excluded.chunks,
         write = excluded.write, error = excluded.error
       where (i.run, i.write) < (excluded.run, excluded.write)
     returning i.resource_id, i.chunks, i.error
   ), replaced as (
     select b.* from before b join written using (resource_id)
   ), counted as (
     update search_indexes set version = version + 1,
       resources = resources + (select count(*) from written) - (select count(*) from replaced),
       chunks = chunks + (select coalesce(sum(chunks), 0) from written) - (select coalesce(sum(chunks), 0) from replaced),
       failed = failed + (select count(error) from written) - (select count(error) from replaced)
     where id = ?
   )
   select resource_id from written`,
);

/**
 * Makes these runs the ones that searches show for their resources, from the commit on. Returns the resources for which
 * it succeeded: a process that was suspended may present a run that has since been replaced, or a deleted resource.
 */
export async function writeIndexed(
  trx: Db,
  indexId: number,
  resources: readonly IndexedResource[],
): Promise<ReadonlySet<string>> {
  if (resources.length === 0) return new Set();
  // Writers take turns: each sees what the previous one wrote, and the counts stay correct.
  await trx('search_indexes').where({ id: indexId }).first('id').forUpdate();
  const rows = await write(trx, [
    resources.map((resource) => resource.resource_id),
    resources.map((resource) => resource.run),
    resources.map((resource) => resource.artifact_id) as string[],
    resources.map((resource) => resource.chunks),
    resources.map((resource) => resource.write),
    resources.map((resource) => resource.error) as string[],
    ...[indexId, indexId, indexId],
  ]);
  return new Set(rows.map((row) => row.resource_id));
}

const remove = prepared(
  'remove_search_indexed',
  `with gone as (
     delete from search_indexed where index_id = ? and resource_id = any (?::uuid[]) returning chunks, error
   )
   update search_indexes set version = version + 1,
     resources = resources - (select count(*) from gone),
     chunks = chunks - (select coalesce(sum(chunks), 0) from gone),
     failed = failed - (select count(error) from gone)
   where id = ?`,
);

/** Removes these resources from search results. */
export async function removeIndexed(db: Db, indexId: number, resourceIds: readonly string[]): Promise<void> {
  if (resourceIds.length > 0) await remove(db, [indexId, [...resourceIds], indexId]);
}

/** A resource that is not in the index, or only in part. */
export interface IndexFailure {
  readonly resource_id: string;
  readonly name: string;
  readonly run: number;
  readonly error: string;
}

/** Lists what could not be indexed, the newest resources first. */
export async function listIndexFailures(
  db: Db,
  indexId: number,
  limit: number,
): Promise<readonly IndexFailure[]> {
  return (await db('search_indexed as i')
    .join('resources as r', 'r.id', 'i.resource_id')
    .select('i.resource_id', 'r.name', 'i.run', 'i.error')
    .where({ index_id: indexId })
    .whereNotNull('i.error')
    .orderBy('i.resource_id', 'desc')
    .limit(limit)) as IndexFailure[];
}

/** Records which vectors an index contains. */
export async function noteVectorKinds(db: Db, indexId: number, kinds: readonly VectorKind[]): Promise<void> {
  if (kinds.length === 0) return;
  await db('search_vectors')
    .insert(kinds.map((kind) => ({ index_id: indexId, ...kind })))
    .onConflict(['index_id', 'dimensions', 'model'])
    .ignore();
}

/** The kinds of vectors that an index has ever contained. */
export async function listVectorKinds(db: Db, indexId: number): Promise<readonly VectorKind[]> {
  return (await db('search_vectors')
    .select('dimensions', 'model')
    .where({ index_id: indexId })
    .orderBy(['dimensions', 'model'])) as VectorKind[];
}
