import assert from 'node:assert/strict';
import { bucketSecondsFor } from '../../api/lookups/statistics.js';
import { uuidv7 } from '../../core/ids.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { startApi, type TestApi } from '../support/service/api.js';

const hourMs = 3_600_000;

describe('statistics', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.stop());

  /** A resource with a run for each of `ends`, of one step each, made past the API. */
  const add = async (
    status: string,
    created: Date,
    ...ends: readonly { status: string; at: Date; seconds?: number; attempt?: number; kept?: boolean }[]
  ): Promise<void> => {
    const { db } = api.deps;
    const id = uuidv7();
    const resource = { id, name: 'x', type: 't', source_type: 'UPLOAD', status, created_at: created };
    await db('resources').insert({ ...resource, run: ends.length });
    for (const [index, { status, at, seconds = 1, attempt = 1, kept = false }] of ends.entries()) {
      const ref = { resource_id: id, run: index + 1 };
      await db('runs').insert({ ...ref, status, workflow_id: 'w', source_ready: true, finished_at: at });
      await db('steps').insert({
        ...ref,
        index: 0,
        plugin_id: 'p',
        kind: 'activity',
        max_attempts: 3,
        backoff_seconds: 1,
        timeout_seconds: 1,
        status,
        attempt,
        started_at: new Date(at.getTime() - seconds * 1000),
        queue_seconds: seconds / 4,
        run_seconds: seconds / 2,
        finished_at: at,
        is_kept: kept,
      });
    }
  };

  it('count resources by status, and registrations and results by bucket, including empty ones', async () => {
    const now = Date.now();
    const ago = (hours: number): Date => new Date(now - hours * hourMs);
    await add('COMPLETED', ago(3), { status: 'COMPLETED', at: ago(2) });
    await add('FAILED', ago(3), { status: 'COMPLETED', at: ago(2) }, { status: 'FAILED', at: ago(0) });
    await add('CANCELLED', ago(200), { status: 'CANCELLED', at: ago(30) });
    await add('PENDING', ago(0));
    const { status, body } = await api.call('GET', '/statistics');
    assert.equal(status, 200);
    assert.deepEqual(body.resources, { PENDING: 1, PROCESSING: 0, COMPLETED: 1, FAILED: 1, CANCELLED: 1 });
    assert.equal(body.bucket_seconds, 3600);
    assert.equal(body.buckets.length, 24);
    const start = (time: number): number => Math.floor(time / hourMs) * hourMs;
    const last = start(new Date(body.at).getTime());
    body.buckets.forEach(({ at }: { at: string }, index: number) =>
      assert.equal(new Date(at).getTime(), last - (23 - index) * hourMs),
    );
    const nothing = { registered: 0, completed: 0, failed: 0, cancelled: 0 };
    const expected = new Map([
      [start(now - 3 * hourMs), { ...nothing, registered: 2 }],
      [start(now - 2 * hourMs), { ...nothing, completed: 2 }],
      [start(now), { ...nothing, registered: 1, failed: 1 }],
    ]);
    for (const { at, ...counts } of body.buckets)
      assert.deepEqual(counts, expected.get(new Date(at).getTime()) ?? nothing, at);
    const { body: month } = await api.call('GET', '/statistics?hours=720');
    const sum = (name: string): number =>
      month.buckets.reduce((total: number, bucket: Record<string, number>) => total + bucket[name]!, 0);
    assert.deepEqual(
      [month.bucket_seconds, month.buckets.length, sum('registered'), sum('cancelled')],
      [86_400, 30, 4, 1],
    );
  });

  it("report the results and durations of each plugin's steps; results reused by a resumed run count once", async () => {
    const at = new Date();
    for (const seconds of [1, 2, 3, 4, 10]) await add('COMPLETED', at, { status: 'COMPLETED', at, seconds });
    await add('FAILED', at, { status: 'FAILED', at, seconds: 500, attempt: 3 });
    const old = { status: 'COMPLETED', at, seconds: 2 };
    await add('COMPLETED', at, old, { ...old, kept: true });
    await add('CANCELLED', at, { status: 'CANCELLED', at });
    const { body } = await api.call('GET', '/statistics?hours=1');
    assert.deepEqual(body.plugins, [
      {
        plugin_id: 'p',
        completed: 6,
        failed: 1,
        attempts: 9,
        median_seconds: 2.5,
        p95_seconds: 8.5,
        median_queue_seconds: 0.625,
        p95_queue_seconds: 2.125,
        median_run_seconds: 1.25,
        p95_run_seconds: 4.25,
      },
    ]);
  });

  it('mark the steps that a resumed run reuses', async () => {
    const { db } = api.deps;
    await api.call('POST', '/plugins', {
      id: 'p',
      name: 'P',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
    });
    const steps = [{ plugin_id: 'p' }, { plugin_id: 'p' }];
    await api.call('POST', '/pipelines', { name: 'D', trigger_type: 'document', steps });
    const { body: resource } = await api.upload();
    await db('steps')
      .where({ index: 0 })
      .update({ status: 'COMPLETED', attempt: 1, started_at: db.fn.now(), finished_at: db.fn.now() });
    await db('runs').update({ status: 'FAILED', finished_at: db.fn.now() });
    await db('resources').update({ status: 'FAILED' });
    const resumed = await api.call('POST', `/resources/${resource.id}/reprocess`, { from_step: 'failed' });
    assert.equal(resumed.status, 202);
    assert.deepEqual(await db('steps').orderBy(['run', 'index']).pluck('is_kept'), [
      false,
      false,
      true,
      false,
    ]);
    const { body } = await api.call('GET', '/statistics');
    assert.equal(body.plugins[0].completed, 1);
  });

  const slow =
    'The database did not finish the statement within its time limit. If the request has a filter, narrow it.';

  it('are not tried again at once if they took the database too long', async () => {
    const hurried = await startApi({ env: { KW_DATABASE_TIMEOUT_SECONDS: '1' } });
    const other = connectDatabase(hurried.deps.config.databaseUrl, { poolSize: 1 });
    await other.transaction(async (trx) => {
      await trx.raw('lock table steps in access exclusive mode');
      const { status, body } = await hurried.call('GET', '/statistics');
      assert.deepEqual([status, body.error.message], [503, slow]);
    });
    assert.equal((await hurried.call('GET', '/statistics')).status, 503);
    assert.equal((await hurried.call('GET', '/statistics?hours=1')).status, 200);
    await other.destroy();
    await hurried.stop();
  });

  it('have at most 60 buckets, and are counted once for simultaneous requests', async () => {
    for (let hours = 1; hours <= 720; hours += 1) {
      const count = Math.ceil((hours * 3600) / bucketSecondsFor(hours));
      assert.ok(count <= 60 && count >= 11, `${hours} h: ${count}`);
    }
    const queries: string[] = [];
    api.deps.db.on('query', ({ sql }: { sql: string }) => queries.push(sql));
    await Promise.all(Array.from({ length: 20 }, () => api.call('GET', '/statistics')));
    await api.call('GET', '/statistics');
    assert.equal(queries.filter((sql) => sql.includes('from resources group by status')).length, 1);
    for (const hours of ['0', '721', '1.5', 'x', ''])
      assert.equal((await api.call('GET', `/statistics?hours=${hours}`)).status, 400, hours);
  });
});
