import assert from 'node:assert/strict';
import type { Db } from '../../../storage/database/connection.js';
import { readRepairs } from '../../../storage/sweeps/repairs.js';
import { eventually } from '../eventually.js';

/** Asserts the number of repairs of a kind. They are counted shortly after their effect is visible. */
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
