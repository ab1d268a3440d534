import assert from 'node:assert/strict';
import { startCore, type TestCore } from '../support/service/core.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { eventually } from '../support/eventually.js';

describe('an HTTP worker that must send heartbeats', () => {
  let core: TestCore;
  let worker: HttpWorker;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
    const plugin = {
      id: 'heard',
      name: 'Heard of',
      kind: 'http',
      endpoint: worker.endpoint,
      heartbeat_seconds: 1,
    };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('heard', {
      plugin_id: 'heard',
      max_attempts: 2,
      backoff_seconds: 0,
      timeout_seconds: 600,
    });
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
    const { id } = await core.upload('heard');
    const step = await eventually(() => worker.arrived[0]);
    const since = Date.now();
    await eventually(
      async () => {
        const progress = { fraction: 0.1, message: 'still here' };
        assert.equal((await worker.report(step, { status: 'PROGRESS', progress })).status, 200);
        return Date.now() - since > 3_000;
      },
      { intervalMs: 300 },
    );
    assert.equal((await worker.report(step, { status: 'SUCCESS' })).status, 200);
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(worker.arrived.length, 1);
  });
});
