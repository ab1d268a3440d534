import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../support/service/api.js';

describe('the metrics of the database', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('appear without those that cannot be read; large tables are not counted again at once', async () => {
    const { db } = api.deps;
    const scrape = async (): Promise<string> => (await api.call('GET', '//metrics')).text;
    await db.raw('alter table steps rename to steps_away');
    const text = await scrape();
    for (const metric of ['kw_outbox_messages 0', 'kw_search_pending_changes 0', 'kw_reconciled_total{'])
      assert.ok(text.includes(`\n${metric}`), metric);
    assert.doesNotMatch(text, /^kw_resources\{/m);

    await db.raw('alter table steps_away rename to steps');
    assert.doesNotMatch(await scrape(), /^kw_resources\{/m);
  });
});
