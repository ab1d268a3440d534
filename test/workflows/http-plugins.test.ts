import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';

const success = { status: 200, body: { status: 'SUCCESS' } };
const settings = { max_attempts: 2, backoff_seconds: 1, timeout_seconds: 20 };

describe('an HTTP plugin:', () => {
  let core: TestCore;
  let worker: HttpWorker;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
  });
  beforeEach(() => {
    worker.arrived.length = 0;
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  describe('its health', () => {
    const plugin = async (id: string): Promise<void> => {
      const body = { id, name: id, kind: 'http', endpoint: worker.endpoint };
      assert.equal((await core.call('POST', '/plugins', body)).status, 201);
      await core.pipeline(id, { plugin_id: id, ...settings });
    };

    it('is derived from its deliveries, in the list and for a single plugin', async () => {
      await plugin('notes');
      await plugin('idle');
      const deliveries = async (id: string): Promise<any> => {
        const { body: one } = await core.call('GET', `/plugins/${id}`);
        const { body: list } = await core.call('GET', '/plugins');
        const listed = list.items.find((each: { id: string }) => each.id === id);
        assert.deepEqual(listed.deliveries, one.deliveries);
        return one.deliveries;
      };
      const nothing = {
        succeeded: 0,
        failed: 0,
        success_rate: null,
        last_success_at: null,
        last_failure: null,
      };
      assert.deepEqual(await deliveries('notes'), nothing);

      worker.handle = () => success;
      await core.settled((await core.upload('notes')).id);
      worker.handle = ({ message }) => (message.attempt.number === 1 ? { status: 503 } : success);
      const retried = await core.settled((await core.upload('notes')).id);
      const { last_success_at, last_failure, ...counts } = await deliveries('notes');
      assert.deepEqual(counts, { succeeded: 2, failed: 1, success_rate: 0.667 });
      const { at, ...reason } = last_failure;
      assert.deepEqual(reason, { code: 'DELIVERY_FAILED', message: 'The worker answered 503.' });
      assert.ok(at < last_success_at && at >= retried.started_at && last_success_at <= retried.finished_at);

      const error = { code: 'BAD_SCAN', message: 'no text', retryable: false };
      worker.handle = () => ({ status: 200, body: { status: 'FAILURE', error } });
      await core.settled((await core.upload('notes')).id);
      const failing = await deliveries('notes');
      assert.deepEqual([failing.succeeded, failing.failed, failing.last_failure.code], [2, 2, 'BAD_SCAN']);
      assert.ok(failing.last_failure.at > failing.last_success_at);

      // What is older than an hour counts no more, and is still the last of its kind.
      const { db } = core.deps;
      await db('attempts').update({ settled_at: db.raw("settled_at - interval '2 hours'") });
      const later = await deliveries('notes');
      assert.deepEqual([later.succeeded, later.failed, later.success_rate], [0, 0, null]);
      assert.equal(later.last_failure.code, 'BAD_SCAN');
      assert.deepEqual(await deliveries('idle'), nothing);
    });

    it('is separate from the duration of a step: waiting, working and pauses are distinguished', async () => {
      await plugin('slow');
      const workMs = 300;
      worker.handle = async () => {
        const isFirst = worker.arrived.length === 1;
        await wait(workMs);
        return isFirst ? { status: 503 } : success;
      };
      await core.stopWorker();
      const { id } = await core.upload('slow');
      const step = async (): Promise<any> => (await core.call('GET', `/resources/${id}`)).body.steps[0];
      const queued = await eventually(async () => {
        const seen = await step();
        return seen.status === 'RUNNING' && seen;
      });
      assert.deepEqual([queued.attempt_started_at, queued.queue_seconds], [null, null]);
      const waitedMs = Date.now() - Date.parse(queued.started_at);
      await core.startWorker();
      await core.settled(id);

      const { started_at, attempt_started_at, finished_at, queue_seconds, run_seconds } = await step();
      const totalSeconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
      assert.ok(queue_seconds * 1000 >= waitedMs - 5, `${queue_seconds} s, ${waitedMs} ms`);
      assert.ok(run_seconds * 1000 >= 2 * workMs - 5, String(run_seconds));
      const pauses = totalSeconds - queue_seconds - run_seconds;
      assert.ok(pauses >= settings.backoff_seconds - 0.005, `${pauses} of ${totalSeconds} s`);
      // The last attempt started after the answer to the first, and before it arrived.
      const [first, last] = worker.arrived.map(({ at }) => at - Date.parse(attempt_started_at));
      assert.ok(first! <= 5 - workMs && last! >= -5, `${first} ms, ${last} ms`);

      const { body: runs } = await core.call('GET', `/resources/${id}/runs`);
      assert.deepEqual(
        [runs.items[0].steps[0].queue_seconds, runs.items[0].steps[0].run_seconds],
        [queue_seconds, run_seconds],
      );
    });
  });

  it('gets the steps of a resumed run at its present endpoint, and none once it is deleted', async () => {
    const register = async (endpoint: string): Promise<void> => {
      const body = { name: 'moved', kind: 'http', endpoint };
      assert.ok((await core.call('PUT', '/plugins/moved', body)).status < 300);
    };
    const resume = async (id: string): Promise<any> => {
      assert.equal(
        (await core.call('POST', `/resources/${id}/reprocess`, { from_step: 'failed' })).status,
        202,
      );
      return await core.settled(id);
    };
    await register(`${worker.endpoint}/former`);
    await core.pipeline('moved', { plugin_id: 'moved', ...settings });
    worker.handle = () => ({ status: 404 });
    const { id } = await core.upload('moved');
    assert.equal((await core.settled(id)).status, 'FAILED');
    await register(`${worker.endpoint}/present`);
    const { run } = await resume(id);
    assert.deepEqual([run, worker.arrived.map(({ path }) => path)], [2, ['/steps/former', '/steps/present']]);

    const { body } = await core.call('GET', '/pipelines');
    const pipeline = body.items.find((each: { trigger_type: string }) => each.trigger_type === 'moved');
    for (const path of [`/pipelines/${pipeline.id}`, '/plugins/moved'])
      assert.equal((await core.call('DELETE', path)).status, 204);
    const { error } = await resume(id);
    assert.deepEqual([error.code, worker.arrived.length], ['PLUGIN_INACTIVE', 2]);
  });

  describe('a worker that must send heartbeats', () => {
    before(async () => {
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

    it('is considered lost after a silence, and the step is retried', async () => {
      worker.handle = () => (worker.arrived.length === 1 ? { status: 202 } : success);
      const { id } = await core.upload('heard');
      const resource = await core.settled(id);
      // On a busy machine, an attempt may be lost before its delivery. It is not counted, but has a number.
      const [first, second] = worker.arrived;
      assert.deepEqual(
        [resource.status, resource.steps[0].attempt, worker.arrived.length],
        ['COMPLETED', second?.message.attempt.number, 2],
      );
      assert.ok(second!.at - first!.at >= 1_000, `${second!.at - first!.at}`);
      const late = await worker.report(first!, { status: 'SUCCESS' });
      assert.equal(late.body['error'].details.reason, 'TIMED_OUT');
    });

    it('fails the step with HEARTBEAT_TIMED_OUT when no attempt is left', async () => {
      worker.handle = () => ({ status: 202 });
      const { id } = await core.upload('heard');
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
      // The API is away, and the timeout passes.
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
});
