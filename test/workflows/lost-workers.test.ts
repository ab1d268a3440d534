import assert from 'node:assert/strict';
import { startCore, type TestCore } from '../support/service/core.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { eventually } from '../support/eventually.js';

describe('an HTTP worker that must send heartbeats', () => {
  let core: TestCore;
  let worker: HttpWorker;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
    for (const [id, heartbeat_seconds] of [
      ['heard', 1],
      ['often-heard', 3],
      ['rarely-heard', 60],
    ] as const) {
      const plugin = { id, name: 'Heard of', kind: 'http', endpoint: worker.endpoint, heartbeat_seconds };
      assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
      await core.pipeline(id, { plugin_id: id, max_attempts: 2, backoff_seconds: 0, timeout_seconds: 600 });
    }
  });
  beforeEach(() => {
    worker.arrived.length = 0;
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  it('is considered lost after a silence, and the step is retried', async () => {
    worker.handle = ({ message }) =>
      message.attempt.number === 1 ? { status: 202 } : { status: 200, body: { status: 'SUCCESS' } };
    const { id } = await core.upload('heard');
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.steps[0].attempt], ['COMPLETED', 2]);
    const [first, second] = worker.arrived;
    assert.ok(second!.at - first!.at >= 1_000, `${second!.at - first!.at}`);
    const late = await worker.report(first!, { status: 'SUCCESS' });
    assert.equal(late.body['error'].details.reason, 'TIMED_OUT');
  });

  it('fails the step with HEARTBEAT_TIMED_OUT when no attempt is left', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('heard');
    await eventually(async () => (await core.call('GET', `/resources/${id}`)).body.steps[0].attempt === 2);
    const resource = await core.settled(id);
    assert.deepEqual(
      [resource.status, resource.error.code, worker.arrived.length],
      ['FAILED', 'HEARTBEAT_TIMED_OUT', 2],
    );
  });

  it('is not considered lost while it reports progress', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('often-heard');
    const step = await eventually(() => worker.arrived[0]);
    const since = Date.now();
    await eventually(
      async () => {
        const progress = { fraction: 0.1, message: 'still here' };
        assert.equal((await worker.report(step, { status: 'PROGRESS', progress })).status, 200);
        return Date.now() - since > 5_000;
      },
      { intervalMs: 300 },
    );
    assert.equal((await worker.report(step, { status: 'SUCCESS' })).status, 200);
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(worker.arrived.length, 1);
  });

  it('is not considered lost by an API that has listened for less than its heartbeat time-out', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('rarely-heard');
    const step = await eventually(() => worker.arrived[0]);
    const { db } = core.deps;
    await eventually(
      async () => (await db('attempts').where({ resource_id: id }).first())?.silent_at != null,
    );
    // The API is away, and the time-out passes.
    await core.stopSweeps();
    await db('attempts').where({ resource_id: id }).update({ silent_at: db.fn.now() });
    const lastInRound = { name: 'old events' };
    await db('sweeps').where(lastInRound).delete();
    core.startSweeps();
    await eventually(async () => (await db('sweeps').where(lastInRound)).length === 1);
    const { status } = await worker.report(step, { status: 'PROGRESS', progress: {} });
    await worker.report(step, { status: 'SUCCESS' });
    const settled = await core.settled(id);
    assert.deepEqual([status, settled.status, worker.arrived.length], [200, 'COMPLETED', 1]);
  });
});
