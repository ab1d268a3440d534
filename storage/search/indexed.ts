import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';
import type { IndexedResource, VectorKind } from './indexes.js';

/** The runs that an index holds of resources, by their ids. */
export async function readIndexedRuns(
  db: Db,
  indexId: number,
  resourceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows: { resource_id: string; run: number }[] = await db('search_indexed')
    .select('resource_id', 'run')
    .where({ index_id: indexId })
    .whereIn('resource_id', resourceIds);
  return new Map(rows.map((row) => [row.resource_id, row.run]));
}

const write = prepared(
  'write_search_indexed',
  `with given as (
     select * from unnest(?::uuid[], ?::int[], ?::uuid[], ?::int[], ?::text[])
       as g (resource_id, run, artifact_id, chunks, error)
   ), before as (
     select i.* from search_indexed i join given g using (resource_id) where i.index_id = ?
   ), written as (
     insert into search_indexed (index_id, resource_id, run, artifact_id, chunks, error)
     select ?, resource_id, run, artifact_id, chunks, error from given
     on conflict (index_id, resource_id) do update
       set run = excluded.run, artifact_id = excluded.artifact_id, chunks = excluded.chunks, error = excluded.error
   )
   update search_indexes set version = version + 1,
     resources = resources + (select count(*) from given) - (select count(*) from before),
     chunks = chunks + (select coalesce(sum(chunks), 0) from given) - (select coalesce(sum(chunks), 0) from before),
     failed = failed + (select count(error) from given) - (select count(error) from before)
   where id = ?`,
);

/** Has searches show these runs of resources, and no others of theirs, from the commit on. */
export async function writeIndexed(
  db: Db,
  indexId: number,
  resources: readonly IndexedResource[],
): Promise<void> {
  if (resources.length === 0) return;
  await write(db, [
    resources.map((resource) => resource.resource_id),
    resources.map((resource) => resource.run),
    resources.map((resource) => resource.artifact_id) as string[],
    resources.map((resource) => resource.chunks),
    resources.map((resource) => resource.error) as string[],
    ...[indexId, indexId, indexId],
  ]);
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

/** Has searches show nothing of these resources. */
export async function removeIndexed(db: Db, indexId: number, resourceIds: readonly string[]): Promise<void> {
  if (resourceIds.length > 0) await remove(db, [indexId, [...resourceIds], indexId]);
}

/** Notes which vectors an index holds. */
export async function noteVectorKinds(db: Db, indexId: number, kinds: readonly VectorKind[]): Promise<void> {
  if (kinds.length === 0) return;
  await db('search_vectors')
    .insert(kinds.map((kind) => ({ index_id: indexId, ...kind })))
    .onConflict(['index_id', 'dimensions', 'model'])
    .ignore();
}

/** The vectors that an index has held. */
export async function listVectorKinds(db: Db, indexId: number): Promise<readonly VectorKind[]> {
  return (await db('search_vectors')
    .select('dimensions', 'model')
    .where({ index_id: indexId })
    .orderBy(['dimensions', 'model'])) as VectorKind[];
}
