import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import type { Db } from '../../storage/database/connection.js';
import { listQuietOperations, removeOldItems } from '../../storage/operations/progress.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

describe('sweeps of operations', () => {
  let database: TestDatabase;
  let db: Db;
  beforeEach(async () => {
    database = await createDatabase();
    db = database.db;
  });
  afterEach(() => database.drop());

  /** Adds operations that have made no progress for an hour, and returns their ids in order. */
  const addOperations = async (count: number, status: string): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => uuidv7());
    const progressed_at = db.raw("now() - interval '1 hour'");
    await db('operations').insert(
      ids.map((id) => ({ id, action: 'disable', status, matched: 1, progressed_at })),
    );
    return ids.sort();
  };

  it('find every quiet operation, page by page', async () => {
    const ids = await addOperations(5, 'RUNNING');
    const pages: (readonly string[])[] = [];
    let after: string | null = null;
    do {
      const page = await listQuietOperations(db, { quietSeconds: 60, after, limit: 2 });
      pages.push(page.ids);
      after = page.next;
    } while (after !== null);
    assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it('remove the items of an ended operation even if a process dies while it removes them', async () => {
    const [operation_id] = await addOperations(1, 'COMPLETED');
    await db('operation_items').insert({ operation_id, resource_id: uuidv7(), outcome: 'DONE' });
    const killed = await db.transaction();
    await removeOldItems(killed, 100);
    assert.equal(await removeOldItems(db, 100), 'ALL');
    await killed.rollback();
    while ((await removeOldItems(db, 100)) === 'MORE') {
      // Until all are gone.
    }
    assert.deepEqual(await db('operation_items'), []);
  });
});
