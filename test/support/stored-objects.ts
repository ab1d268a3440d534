import assert from 'node:assert/strict';
import type { Deps } from '../../runtime/deps.js';
import { sweepOrphans } from '../../storage/orphans.js';
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
 * Every object is a resource's or an artifact's, and each of those is there. What broke off at its commit is left to the
 * sweep of orphans, which is made to look at once.
 */
export async function assertNothingHalfStored(deps: Pick<Deps, 'db' | 'objectStore'>): Promise<void> {
  const { db, objectStore } = deps;
  const before = new Date(Date.now() + 60_000);
  await eventually(async () => {
    // Again each time: a store may finish a write whose client was cut off long ago.
    await sweepOrphans(db, objectStore, { after: null, limit: 100_000, before });
    const owned: string[][] = await Promise.all([
      db('resources').pluck('object_key'),
      db('artifacts').pluck('object_key'),
    ]);
    assert.deepEqual(await objectsBelow(deps), owned.flat().sort());
    return true;
  });
}
