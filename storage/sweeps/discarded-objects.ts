import type { Db } from '../database/connection.js';

/** Marks objects for removal that no row refers to any more, in the transaction that removed the last reference. */
export async function discardObjects(trx: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await trx('discarded_objects')
    .insert(keys.map((key) => ({ key })))
    .onConflict('key')
    .ignore();
}

/**
 * Marks every object of a resource that is about to be deleted. Its clean-up workflow removes them at once and forgets
 * the keys; the sweep only has to if that workflow was terminated.
 */
export async function discardAllObjects(trx: Db, resourceId: string): Promise<void> {
  await trx.raw(
    `insert into discarded_objects (key, due_at)
     select object_key, now() + interval '10 minutes' from (
       select object_key from resources where id = :resourceId
       union all select object_key from artifacts where resource_id = :resourceId
       union all select object_key from uploads where resource_id = :resourceId
     ) as objects
     where object_key is not null
     on conflict (key) do nothing`,
    { resourceId },
  );
}

/**
 * Keys that are due for removal from the object store. They stay listed until `forgetDiscarded`. An object that search
 * still reads is skipped: a later run that did not complete replaced its artifact.
 */
export async function listDiscarded(db: Db, limit: number): Promise<string[]> {
  return await db('discarded_objects as d')
    .where('due_at', '<=', db.fn.now())
    .whereNotExists(db('search_sources as s').select(db.raw('1')).whereRaw('s.object_key = d.key'))
    .whereNotExists(db('search_sources as s').select(db.raw('1')).whereRaw('s.vectors_key = d.key'))
    .orderBy('due_at')
    .limit(limit)
    .pluck('key');
}

/** Forgets keys whose objects have been removed. */
export async function forgetDiscarded(db: Db, keys: readonly string[]): Promise<void> {
  await db('discarded_objects').whereIn('key', keys).delete();
}
