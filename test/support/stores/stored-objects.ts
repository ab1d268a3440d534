import assert from 'node:assert/strict';
import type { Deps } from '../../../runtime/deps.js';
import { sweepOrphans } from '../../../storage/sweeps/orphans.js';
import { eventually } from '../eventually.js';

/** Returns the keys of the objects below a prefix, in order. */
export async function objectsBelow(
  { objectStore }: Pick<Deps, 'objectStore'>,
  prefix = 'resources/',
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objectStore.list(prefix)) keys.push(key);
  return keys.sort();
}

/**
 * Asserts that every object belongs to a resource or an artifact, that none of their objects is missing, and that no
 * upload is unfinished.
 *
 * @param orphansAllowed Allows objects and unfinished uploads that a fault leaves behind, because the process died
 * before it could remove them. A sweep of orphans, run immediately, must find them all.
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

  // Discarded objects are removed shortly afterwards without a sweep.
  const left = await eventually(async () => {
    const orphans = await findOrphans();
    assert.ok(orphans.length <= orphansAllowed, `orphans: ${orphans.join(', ')}`);
    return orphans.length;
  });
  const unfinished = await objectStore.removeAbandoned(before);
  assert.ok(left + unfinished <= orphansAllowed, `${left} orphans and ${unfinished} unfinished uploads`);
  if (orphansAllowed === 0) return;
  await eventually(async () => {
    // Sweep each time, because a store may complete a write after its client was cut off.
    await sweepOrphans(db, objectStore, { after: null, limit: 100_000, before });
    assert.deepEqual(await findOrphans(), []);
    return true;
  });
}
