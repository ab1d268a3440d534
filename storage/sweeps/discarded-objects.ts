import pLimit from 'p-limit';
import type { Db } from '../database/connection.js';
import type { ObjectStore } from '../object-store/types.js';

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
 * Seconds until an object that search reads is checked again. The run that replaces it in search makes it due at once,
 * see `note_completed_resource`, so this is only a safety net.
 */
const heldSeconds = 60 * 60;

/**
 * Leases keys that are due for removal from the object store, for other processes to skip. They are due again after
 * `leaseSeconds`, unless `forgetDiscarded` removed them.
 *
 * An object that search still reads is postponed: a later run that did not complete replaced its artifact. If such keys
 * stayed due, each round would read all of them again. Of `limit` keys looked at, fewer may thus be returned.
 */
export async function leaseDiscarded(
  db: Db,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { key: string; is_held: boolean }[] }>(
    `with due as materialized (
       select key from discarded_objects where due_at <= now()
       order by due_at limit :limit for update skip locked
     ), looked_at as materialized (
       select key, exists (select from search_sources s where s.object_key = due.key)
         or exists (select from search_sources s where s.vectors_key = due.key) as is_held
       from due
     )
     update discarded_objects d
     set due_at = now() + case when l.is_held then make_interval(secs => :heldSeconds)
       else make_interval(secs => :leaseSeconds) end
     from looked_at l where d.key = l.key
     returning d.key, l.is_held`,
    { limit, leaseSeconds, heldSeconds },
  );
  return rows.flatMap(({ key, is_held }) => (is_held ? [] : [key]));
}

/** Forgets keys whose objects have been removed. */
export async function forgetDiscarded(db: Db, keys: readonly string[]): Promise<void> {
  await db('discarded_objects').whereIn('key', keys).delete();
}

/** How many objects one round removes, and for how many seconds the lease of a killed process blocks them. */
const perRound = { limit: 500, leaseSeconds: 30 };
/** How many objects are removed one by one at once, and for how many milliseconds more are begun. */
const oneByOne = { atOnce: 8, ms: 3_000 };

/**
 * Removes objects that are due. If they cannot be removed together but the store can be used, tries each of them, for a
 * few seconds. Throws STORAGE_UNAVAILABLE if some are left, which are due again later, and the signal's reason once it
 * aborts.
 */
export async function removeDiscarded(db: Db, objectStore: ObjectStore, signal: AbortSignal): Promise<void> {
  const keys = await leaseDiscarded(db, perRound);
  if (keys.length === 0) return;
  try {
    await objectStore.delete(keys, { signal });
  } catch (error) {
    await objectStore.check({ signal });
    const removed = await removeOneByOne(objectStore, keys, signal);
    await forgetDiscarded(db, removed);
    if (removed.length < keys.length) throw error;
    return;
  }
  await forgetDiscarded(db, keys);
}

/** Returns the keys of the objects that it removed. */
async function removeOneByOne(
  objectStore: ObjectStore,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const until = performance.now() + oneByOne.ms;
  const removed: string[] = [];
  const limit = pLimit(oneByOne.atOnce);
  const remove = async (key: string): Promise<void> => {
    if (signal.aborted || performance.now() > until) return;
    await objectStore.delete([key], { signal });
    removed.push(key);
  };
  await Promise.allSettled(keys.map((key) => limit(() => remove(key))));
  return removed;
}
