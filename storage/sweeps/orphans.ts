import type { Db } from '../database/connection.js';
import { discardObjects } from './discarded-objects.js';
import { claimStore } from '../object-store/owner.js';
import { everyResource } from '../object-store/keys.js';
import type { ObjectStore } from '../object-store/types.js';
import { countRepairs } from './repairs.js';

const ownKey =
  /^resources\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/(source|artifacts)\/[^/]+$/;
const page = 1000;

export interface OrphanSweep {
  /** The key to continue after; null means from the beginning. */
  readonly after: string | null;
  /** Maximum number of objects to check. */
  readonly limit: number;
  /** Objects stored after this time are skipped: their rows may not be committed yet. */
  readonly before: Date;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks one part of the object store for objects that no row refers to, for example because a process was killed
 * between writing and committing. Marks them as discarded; the sweep of discarded objects removes them. When it starts
 * from the beginning, it also removes parts of unfinished uploads. Resolves with the key to continue after, or null at
 * the end.
 *
 * Objects of a PROCESSING resource are skipped, since its attempts may hold contents for days before they report.
 * Throws STORAGE_UNAVAILABLE, also if the store belongs to another database, and the signal's reason once it aborts.
 */
export async function sweepOrphans(
  db: Db,
  objectStore: ObjectStore,
  { after, limit, before, signal }: OrphanSweep,
): Promise<string | null> {
  await claimStore(db, objectStore, { signal });
  if (after === null)
    await countRepairs(db, 'upload_aborted', await objectStore.removeAbandoned(before, { signal }));
  let seen = 0;
  let last: string | null = null;
  let old: string[] = [];
  const listed = objectStore.list(everyResource, { after: after ?? undefined, signal });
  for await (const { key, lastModified } of listed) {
    signal?.throwIfAborted();
    if (lastModified < before && ownKey.test(key)) old.push(key);
    last = key;
    seen++;
    if (seen === limit) break;
    if (old.length === page) {
      await discardUnowned(db, old);
      old = [];
    }
  }
  await discardUnowned(db, old);
  return seen === limit ? last : null;
}

async function discardUnowned(db: Db, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.transaction(async (trx) => {
    const result: { rows: { key: string }[] } = await trx.raw(
      `select k.key from unnest(?::text[], ?::uuid[]) as k (key, resource_id)
       where not exists (
           select 1 from resources r where r.id = k.resource_id
             and (r.object_key = k.key or r.status = 'PROCESSING')
         )
         and not exists (
           select 1 from artifacts a where a.resource_id = k.resource_id and a.object_key = k.key
         )
         and not exists (select 1 from uploads u where u.resource_id = k.resource_id and u.object_key = k.key)
         and not exists (select 1 from discarded_objects d where d.key = k.key)`,
      [keys, keys.map((key) => key.split('/')[1] ?? '')],
    );
    const orphans = result.rows.map((row) => row.key);
    await discardObjects(trx, orphans);
    await countRepairs(trx, 'object_removed', orphans.length);
  });
}
