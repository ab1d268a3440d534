import assert from 'node:assert/strict';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { fillIndex } from '../../activities/search/fill-index.js';
import { followChanges, type FollowDeps } from '../../activities/search/follow-changes.js';
import { createLiveIndexes } from '../../activities/search/live-indexes.js';
import type { IndexWriter } from '../../runtime/search/engine.js';
import { lanceLocation } from '../../runtime/search/lance/location.js';
import { createLanceWriter } from '../../runtime/search/lance/writer.js';
import { retireIndex, switchIndexes } from '../../storage/search/indexes.js';
import { startCore, type TestCore } from '../support/service/core.js';

let text = '';
const emitter = definePlugin({
  id: 'emitter',
  name: 'Emitter',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['text'],
  async run(ctx) {
    await ctx.emit({ type: 'text', content_type: 'text', content: text });
  },
});

describe('a search index that cannot be written for a while, beside one that can', () => {
  let core: TestCore;
  let writer: IndexWriter;
  /** One turn of the indexer, without optimizing. Returns the ids of the indexes that it could write. */
  let turn: () => Promise<readonly number[]>;
  /** The index whose store does not answer. */
  let away: number | null = null;

  before(async () => {
    core = await startCore({ plugins: [emitter], env: { KW_LOG_LEVEL: 'fatal' } });
    await core.pipeline('emitted', { plugin_id: 'emitter' });
    const { db, log, config, objectStore } = core.deps;
    const real = createLanceWriter(lanceLocation(config));
    const unless = <T>(id: number, work: () => Promise<T>): Promise<T> =>
      id === away ? Promise.reject(new Error('socket hang up')) : work();
    writer = {
      ...real,
      prepare: (id) => unless(id, () => real.prepare(id)),
      add: (id, ...rest) => unless(id, () => real.add(id, ...rest)),
      countUnindexed: (id) => unless(id, () => real.countUnindexed(id)),
    };
    let now = 0;
    // Each turn probes every index.
    const live = createLiveIndexes(db, writer, config.searchUri, log, () => (now += 60_000));
    const tools: FollowDeps = {
      ...{ db, writer, objectStore, log, assertOurs: () => undefined, isLost: () => false },
      signal: new AbortController().signal,
    };
    turn = async () => {
      const found = await live();
      if (found.indexes.length > 0) await followChanges(tools, found);
      for (const index of found.indexes.filter(({ is_filled }) => !is_filled))
        await fillIndex(tools, index, false);
      return found.indexes.map(({ id }) => id);
    };
  });
  beforeEach(async () => {
    away = null;
    text = 'apple';
    await turn();
  });
  after(async () => {
    writer.close();
    await core.stop();
  });

  const hits = async (q: string): Promise<number> =>
    (await core.call('POST', '/search', { q })).body.items.length;
  const status = async (): Promise<any> => (await core.call('GET', '/search/status')).body;
  const idOf = async (state: string): Promise<number> =>
    (await core.deps.db('search_indexes').where({ state }).first('id')).id;
  /** Two resources in a current index and in one under construction: one to change, one to delete. */
  const rebuildBegun = async (): Promise<{ ids: readonly string[]; current: number; building: number }> => {
    const ids = [(await core.upload('emitted')).id, (await core.upload('emitted')).id];
    for (const id of ids) await core.settled(id);
    await turn();
    assert.equal((await core.call('POST', '/search/rebuild')).status, 202);
    await turn();
    assert.equal((await status()).rebuild.resources, 2);
    return { ids, current: await idOf('CURRENT'), building: await idOf('BUILDING') };
  };
  const changeAndDelete = async ([changed, deleted]: readonly string[]): Promise<void> => {
    text = 'banana';
    assert.equal((await core.call('POST', `/resources/${changed}/reprocess`, {})).status, 202);
    await core.settled(changed ?? '');
    assert.equal((await core.call('DELETE', `/resources/${deleted}`)).status, 204);
  };
  const assertFollowed = async (index: number): Promise<void> => {
    const { pending, resources } = await status();
    assert.deepEqual(
      { index: await idOf('CURRENT'), apple: await hits('apple'), banana: await hits('banana') },
      { index, apple: 0, banana: 1 },
    );
    assert.deepEqual({ pending, resources }, { pending: 0, resources: 1 });
  };
  const removeAll = async (): Promise<void> => {
    for (const { id } of (await core.call('GET', '/resources')).body.items)
      assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
    await turn();
  };

  it('gets the changes of that time before searches use it: the new index of a rebuild', async () => {
    const { ids, current, building } = await rebuildBegun();
    away = building;
    await changeAndDelete(ids);
    assert.deepEqual(await turn(), [current]);
    // The current index has them at once, and the others are known to be pending.
    assert.deepEqual([await hits('apple'), await hits('banana'), (await status()).pending], [0, 1, 2]);
    assert.deepEqual(await turn(), [current]);
    away = null;
    assert.deepEqual(await turn(), [current, building]);
    await switchIndexes(core.deps.db, building);
    await assertFollowed(building);
    await removeAll();
  });

  it('gets the changes of that time when it is back: the current one, though the rebuild is abandoned', async () => {
    const { ids, current, building } = await rebuildBegun();
    away = current;
    await changeAndDelete(ids);
    // It does not hold up the rebuild, which may be about to replace it.
    assert.deepEqual(await turn(), [building]);
    assert.equal((await status()).rebuild.resources, 1);
    await retireIndex(core.deps.db, building);
    away = null;
    assert.deepEqual(await turn(), [current]);
    await assertFollowed(current);
    await removeAll();
  });

  it('holds no changes back once a rebuild has replaced it', async () => {
    const { ids, current, building } = await rebuildBegun();
    away = current;
    await changeAndDelete(ids);
    assert.deepEqual(await turn(), [building]);
    await switchIndexes(core.deps.db, building);
    assert.deepEqual(await turn(), [building]);
    await assertFollowed(building);
  });
});
