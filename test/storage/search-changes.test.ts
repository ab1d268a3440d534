import assert from 'node:assert/strict';
import { queueChange, takeChanges } from '../../storage/search/changes.js';
import { uuidv7 } from '../../core/ids.js';
import { createDatabase } from '../support/servers/postgres.js';

describe('changes that wait for the search index', () => {
  it('are taken although thousands of large ones wait for longer', async () => {
    const database = await createDatabase();
    const { db } = database;
    const take = async (): Promise<unknown[]> =>
      (await takeChanges(db, { limit: 2, againSeconds: 600 })).map((change) => [
        change.isLarge,
        change.resource_id,
      ]);
    try {
      await db.raw(`
        insert into resources (id, name, type, source_type, status)
          select gen_random_uuid(), 'large', 'x', 'UPLOAD', 'PENDING' from generate_series(1, 2500);
        insert into search_sources (resource_id, run, size_bytes, vectors_bytes)
          select id, 1, case when n % 2 = 0 then 2 ^ 20 end, case when n % 2 = 1 then 2 ^ 25 end
          from (select id, row_number() over () as n from resources) as numbered;
        select note_search_change(resource_id) from search_sources order by resource_id;
      `);
      const large = (await db('search_sources').orderBy('resource_id')).map((source) => source.resource_id);
      const small = uuidv7();
      const resource = { name: 'small', type: 'x', source_type: 'UPLOAD', status: 'PENDING' };
      await db('resources').insert({ id: small, ...resource });
      await db('search_sources').insert({ resource_id: small, run: 1, size_bytes: 1_000 });
      await queueChange(db, small);
      assert.deepEqual(await take(), [
        [false, small],
        [true, large[0]],
      ]);
      // Its content is gone, so this takes no time.
      await db('resources').where({ id: large[2] }).delete();
      assert.deepEqual(await take(), [
        [false, large[2]],
        [true, large[1]],
      ]);
    } finally {
      await database.drop();
    }
  });
});
