import type { Db } from '../database/connection.js';

/** Notes objects that no row points to any more, inside the transaction that let go of them. */
export async function discardObjects(trx: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await trx('discarded_objects')
    .insert(keys.map((key) => ({ key })))
    .onConflict('key')
    .ignore();
}

/**
 * Keys that are due for removal from the object store; they stay noted until `forgetDiscarded`. What the search still
 * reads waits: a later run that did not complete replaced it.
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

/** Drops the note of keys whose objects are gone. */
export async function forgetDiscarded(db: Db, keys: readonly string[]): Promise<void> {
  await db('discarded_objects').whereIn('key', keys).delete();
}
