import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { uuidv7 } from '../../core/ids.js';
import { startApi, type TestApi } from '../support/service/api.js';

describe('the system view', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('shows queues, long waits, clean-ups and disk space, even while Temporal is down', async () => {
    const plugin = { id: 'ocr', name: 'OCR', kind: 'activity', task_queue: 'scans', activity_type: 'ocr' };
    await api.call('POST', '/plugins', plugin);
    const steps = [{ plugin_id: 'ocr' }];
    await api.call('POST', '/pipelines', { name: 'Scans', trigger_type: 'scan', steps });
    const { body: resource } = await api.upload({ type: 'scan' });
    await api.upload({ type: 'scan' });
    const { db } = api.deps;
    const since = new Date(Date.now() - 3_600_000);
    await db('steps').where({ resource_id: resource.id }).update({ waiting_since: since });
    const cleanUp = { resource_id: uuidv7(), run: 1, plugin_id: 'ocr', reason: 'RESOURCE_DELETED' };
    for (const last_error of [null, 'The store is away.'])
      await db('clean_ups').insert({
        ...{ ...cleanUp, id: uuidv7(), up_to_run: 1, artifacts: '[]', created_at: since, last_error },
        tries: last_error === null ? 0 : 3,
      });

    const { status, body } = await api.call('GET', '/system');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.versions), ['service', 'node', 'postgresql', 'temporal']);
    assert.equal(body.versions.temporal, null);
    const states = Object.values(body.checks as Record<string, { status: string }>).map(
      (each) => each.status,
    );
    assert.deepEqual(states, ['ok', 'error', 'ok']);
    assert.deepEqual(
      body.queues.find((queue: { task_queue: string }) => queue.task_queue === 'scans'),
      {
        ...{ task_queue: 'scans', built_in: false, plugins: [{ plugin_id: 'ocr', is_active: true }] },
        ...{ pollers: null, last_polled_at: null },
      },
    );
    const oldest = since.toISOString();
    // The second has not waited for long.
    assert.deepEqual(body.waits, [{ plugin_id: 'ocr', kind: 'worker', count: 1, oldest_since: oldest }]);
    assert.deepEqual(body.clean_ups, [
      { plugin_id: 'ocr', count: 2, oldest_at: oldest, last_error: 'The store is away.' },
    ]);
    assert.ok(body.database_bytes > 1_000_000);
    assert.ok(body.disk.free_bytes > 0 && body.disk.free_bytes <= body.disk.total_bytes);
  });

  it('checks the parts once for many requests of anyone', async () => {
    const { objectStore } = api.deps;
    const check = objectStore.check.bind(objectStore);
    let checks = 0;
    objectStore.check = () => (checks++, check());
    const ready = (): Promise<unknown> => api.call('GET', '//health/ready', undefined, { bearer: null });
    await Promise.all(Array.from({ length: 50 }, ready));
    objectStore.check = check;
    // None if the view has just checked them; on a slow machine, one each second.
    assert.ok(checks < 10, `${checks} checks`);
  });

  it('is read again after a few seconds, however long a part that was down took', async () => {
    const now = performance.now.bind(performance);
    let laterMs = 10_000;
    mock.method(performance, 'now', () => now() + laterMs);
    mock.method(api.deps.workflows, 'serverVersion', () => {
      laterMs += 2_000;
      return Promise.resolve(null);
    });
    try {
      const { body: first } = await api.call('GET', '/system');
      laterMs += 5_000;
      const { body: second } = await api.call('GET', '/system');
      assert.notEqual(first.at, second.at);
    } finally {
      mock.restoreAll();
    }
  });

  it('shows addresses only to admins, and never shows credentials', async () => {
    const { config } = api.deps;
    const url = new URL(config.databaseUrl);
    const { body, text } = await api.call('GET', '/system');
    assert.equal(body.addresses.database, `${url.host}${url.pathname}`);
    assert.equal(body.addresses.data_dir, config.dataDir);
    assert.ok(!text.includes(`${url.username}:`) && !text.includes('@'), text);
    const reader = await api.call('GET', '/system', undefined, { bearer: await api.key('read') });
    assert.equal(reader.body.addresses, null);
    assert.ok(!reader.text.includes(config.dataDir));
  });
});
