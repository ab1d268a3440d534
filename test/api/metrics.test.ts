import assert from 'node:assert/strict';
import { createMetrics } from '../../api/server/metrics.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { eventually } from '../support/eventually.js';
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

  it('stay as they were while they are only late, and are read two at a time', async () => {
    const { db, config } = api.deps;
    let [open, most] = [0, 0];
    db.on('query', () => (most = Math.max(most, ++open)));
    for (const event of ['query-response', 'query-error']) db.on(event, () => open--);
    const metrics = createMetrics(api.deps, 300);
    const outboxIn = async (): Promise<string | undefined> =>
      /^kw_outbox_messages .*/m.exec((await metrics.render()).text)?.[0];
    await eventually(async () => (await outboxIn()) === 'kw_outbox_messages 0');

    const other = connectDatabase(config.databaseUrl, { poolSize: 1 });
    await other.transaction(async (trx) => {
      await trx.raw('lock table outbox in access exclusive mode');
      assert.equal(await outboxIn(), 'kw_outbox_messages 0');
    });
    await other.destroy();
    assert.equal(most, 2);

    await db.raw('alter table outbox rename to outbox_away');
    await eventually(async () => (await outboxIn()) === undefined);
    await db.raw('alter table outbox_away rename to outbox');
  });
});
