import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import type { Db } from '../../storage/database/connection.js';
import { createFileObjectStore } from '../../storage/object-store/file.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import {
  discardObjects,
  forgetDiscarded,
  leaseDiscarded,
  removeDiscarded,
} from '../../storage/sweeps/discarded-objects.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { keys } from '../support/stores/stored.js';
import { temporaryFolder } from '../support/temporary.js';

describe('discarded objects', () => {
  let database: TestDatabase;
  let db: Db;
  beforeEach(async () => {
    database = await createDatabase();
    db = database.db;
  });
  afterEach(() => database.drop());

  const lease = (limit = 100): Promise<string[]> => leaseDiscarded(db, { limit, leaseSeconds: 600 });

  it('are leased by one process at a time, until they are forgotten or the lease ends', async () => {
    await discardObjects(db, ['a', 'b', 'c', 'd']);
    const leased = await Promise.all([lease(2), lease(2)]);
    assert.deepEqual(leased.flat().sort(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await lease(), []);
    await forgetDiscarded(db, ['a', 'b', 'c']);
    await db('discarded_objects').update({ due_at: db.fn.now() });
    assert.deepEqual(await lease(), ['d']);
  });

  it('that cannot be removed do not hold back the others', async () => {
    const store = createFileObjectStore({ directory: temporaryFolder() });
    await store.create();
    const all = ['a/1', 'a/2', 'b/1'];
    for (const key of all) await store.put(key, Buffer.from(key));
    await discardObjects(db, all);
    const protective: ObjectStore = {
      ...store,
      delete: (removed) =>
        removed.includes('a/1') ? Promise.reject(new Error('access denied')) : store.delete(removed),
    };
    const { signal } = new AbortController();
    await assert.rejects(removeDiscarded(db, protective, signal), /access denied/);
    assert.deepEqual(await keys(store, ''), ['a/1']);
    await db('discarded_objects').update({ due_at: db.fn.now() });
    assert.deepEqual(await lease(), ['a/1']);
    await db('discarded_objects').update({ due_at: db.fn.now() });
    await removeDiscarded(db, store, signal);
    assert.deepEqual(await keys(store, ''), []);
  });

  it('are tried one by one only until the process stops, and fail only if some are left', async () => {
    const all = Array.from({ length: 20 }, (_, index) => `a/${index}`);
    await discardObjects(db, all);
    const stopping = new AbortController();
    const tried: string[] = [];
    const store: ObjectStore = {
      ...createFileObjectStore({ directory: temporaryFolder() }),
      check: () => Promise.resolve(),
      async delete(removed) {
        await Promise.resolve();
        if (removed.length > 1) throw new Error('too slow');
        tried.push(...removed);
        stopping.abort();
      },
    };
    await assert.rejects(removeDiscarded(db, store, stopping.signal), /too slow/);
    assert.ok(tried.length <= 8, tried.join());
    const left = await db('discarded_objects').pluck<string[]>('key');
    assert.deepEqual([...left, ...tried].sort(), [...all].sort());
    await db('discarded_objects').update({ due_at: db.fn.now() });
    await removeDiscarded(db, store, new AbortController().signal);
    assert.deepEqual(await db('discarded_objects').pluck('key'), []);
  });

  it('that search reads are not looked at in each round, and are due once a run replaces them', async () => {
    const id = uuidv7();
    const source = { name: 'x', type: 'x', source_type: 'UPLOAD', status: 'PROCESSING' };
    await db('resources').insert({ id, ...source, run: 2 });
    await db('search_sources').insert({
      resource_id: id,
      run: 1,
      object_key: 'text',
      vectors_key: 'vectors',
    });
    await discardObjects(db, ['text', 'vectors']);
    await db('discarded_objects').update({ due_at: db.raw("now() - interval '1 minute'") });
    await discardObjects(db, ['other']);

    assert.deepEqual(await lease(2), []);
    assert.deepEqual(await lease(2), ['other']);
    assert.deepEqual(await db('discarded_objects').where('due_at', '<=', db.fn.now()), []);

    await db('resources').where({ id }).update({ status: 'COMPLETED' });
    assert.deepEqual((await lease()).sort(), ['text', 'vectors']);
  });
});
