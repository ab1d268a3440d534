import assert from 'node:assert/strict';
import type { Db } from '../../storage/database/connection.js';
import { readRepairs } from '../../storage/sweeps/repairs.js';
import { eventually } from './eventually.js';

/** So many repairs of a kind were made: they are counted a moment after they can be seen. */
export async function assertRepairs(
  db: Db,
  kind: keyof Awaited<ReturnType<typeof readRepairs>>,
  count: number,
): Promise<void> {
  await eventually(async () => {
    assert.equal((await readRepairs(db))[kind], count);
    return true;
  });
}
