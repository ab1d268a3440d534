import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { acceptOperation } from '../../storage/operations/operations.js';
import { listQuietOperations, removeOldItems } from '../../storage/operations/progress.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

describe('an operation over many resources', () => {
  it('is accepted although recording them takes longer than other statements may', async () => {
    const database = await createDatabase();
    const hasty = connectDatabase(database.url, { poolSize: 1, statementMs: 200 });
    // The server's limit is 0.2 s, and that of the client 1.2 s.
    await database.db.raw(
      `create function slowly() returns trigger language plpgsql as
         $$ begin perform pg_sleep(1.3); return null; end $$;
       create trigger slowly after insert on operation_items for each statement execute function slowly()`,
    );
    const resources = { ids: [uuidv7(), uuidv7()] };
    const rest = { fromStep: null, filter: null, metadata: null, expectedMatched: 2 };
    const limit = await hasty.transaction(async (trx) => {
      await acceptOperation(trx, { action: 'delete', resources, ...rest });
      return (await trx.raw<{ rows: object[] }>('show statement_timeout')).rows;
    });
    assert.deepEqual(limit, [{ statement_timeout: '200ms' }]);
    assert.equal((await database.db('operation_items')).length, 2);
    const isLater = database.db.raw("progressed_at - created_at > interval '1 second' as is_later");
    assert.deepEqual(await database.db('operations').select(isLater), [{ is_later: true }]);
    await hasty.destroy();
    await database.drop();
  });
});

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
