import assert from 'node:assert/strict';
import type { Deps } from '../../runtime/deps.js';
import { sweepOrphans } from '../../storage/sweeps/orphans.js';
import { eventually } from './eventually.js';

/** The keys of the objects below a prefix, in order. */
export async function objectsBelow(
  { objectStore }: Pick<Deps, 'objectStore'>,
  prefix = 'resources/',
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objectStore.list(prefix)) keys.push(key);
  return keys.sort();
}

/**
 * Every object is a resource's or an artifact's, and each of those is there; no upload is left unfinished.
 *
 * @param orphansAllowed Objects and unfinished uploads that a fault may leave behind, for nobody was there to remove them
 * or to know whether a row needs them. The sweep of orphans, made to look at once, finds them all.
 */
export async function assertNothingHalfStored(
  deps: Pick<Deps, 'db' | 'objectStore'>,
  { orphansAllowed = 0 }: { readonly orphansAllowed?: number } = {},
): Promise<void> {
  const { db, objectStore } = deps;
  const before = new Date(Date.now() + 60_000);
  /** Returns the objects that no row points to. */
  const findOrphans = async (): Promise<string[]> => {
    const stored = await objectsBelow(deps);
    const owned: string[][] = await Promise.all([
      db('resources').whereNotNull('object_key').pluck('object_key'),
      db('artifacts').pluck('object_key'),
    ]);
    const lost = owned.flat().filter((key) => !stored.includes(key));
    assert.deepEqual(lost, [], 'a row points to what is not there');
    return stored.filter((key) => !owned.flat().includes(key));
  };

  // What is discarded goes a moment later, but by itself: nothing is swept yet.
  const left = await eventually(async () => {
    const orphans = await findOrphans();
    assert.ok(orphans.length <= orphansAllowed, `orphans: ${orphans.join(', ')}`);
    return orphans.length;
  });
  const unfinished = await objectStore.removeAbandoned(before);
  assert.ok(left + unfinished <= orphansAllowed, `${left} orphans and ${unfinished} unfinished uploads`);
  if (orphansAllowed === 0) return;
  await eventually(async () => {
    // Again each time: a store may finish a write whose client was cut off long ago.
    await sweepOrphans(db, objectStore, { after: null, limit: 100_000, before });
    assert.deepEqual(await findOrphans(), []);
    return true;
  });
}
