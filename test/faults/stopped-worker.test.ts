import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Context } from '@temporalio/activity';
import { startHeartbeat } from '../../activities/attempt-errors.js';
import { runWorkflowId } from '../../core/ids.js';
import { connectTemporal } from '../../runtime/temporal/connection.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { lockWaits } from '../support/servers/postgres.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';

describe('a step whose worker', () => {
  let core: TestCore;
  let worker: HttpWorker;
  /** The attempts at the step of `note`, and how many of them were stopped. */
  const attempts: number[] = [];
  let stopped = 0;
  let silentAttempts = 0;
  /** What the signal of `late` was when its attempts began. */
  const lateSignals: boolean[] = [];

  before(async () => {
    worker = await startHttpWorker();
    const note = notePlugin(async (ctx) => {
      attempts.push(ctx.attempt.number);
      if (attempts.length > 1) {
        await emitNote(ctx, `attempt ${ctx.attempt.number} of ${ctx.attempt.max}`);
        return;
      }
      await new Promise((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => {
          stopped += 1;
          reject(new Error('stopped'));
        });
      });
    });
    const silent = notePlugin(async (ctx) => {
      silentAttempts += 1;
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      await emitNote(ctx, 'finished');
    });
    const late = notePlugin(async (ctx) => {
      lateSignals.push(ctx.signal.aborted);
      await emitNote(ctx, 'late');
    });
    core = await startCore({ plugins: [note, { ...silent, id: 'silent' }, { ...late, id: 'late' }] });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 1 });
    await core.pipeline('late', { plugin_id: 'late', max_attempts: 1 });
    // Shorter than the time to the first heartbeat.
    await core.deps.db('plugins').where({ id: 'silent' }).update({ heartbeat_seconds: 0.5 });
    const patient = { plugin_id: 'silent', max_attempts: 3, backoff_seconds: 3_600 };
    await core.pipeline('silent', patient, { plugin_id: 'silent', max_attempts: 1 });
    const far = { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint };
    assert.equal((await core.call('POST', '/plugins', far)).status, 201);
    await core.pipeline('far', { plugin_id: 'far', max_attempts: 1 });
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  it('is stopped gracefully before or in its only attempt is scheduled again, and completes', async () => {
    await core.stopWorker();
    const [{ id }, late] = [await core.upload('noted'), await core.upload('late')];
    let stopping = Promise.resolve();
    await core.deps.db.transaction(async (lock) => {
      await lock.raw('set local idle_in_transaction_session_timeout = 0');
      // Holds the second one just before its plugin.
      await lock('resources').where({ id: late.id }).forNoKeyUpdate().select('id');
      await core.startWorker();
      await eventually(() => attempts.length === 1);
      await lockWaits(core.deps.db, 1);
      stopping = core.stopWorker();
      await eventually(() => stopped === 1);
    });
    await stopping;
    assert.equal((await core.call('GET', `/resources/${id}`)).body.status, 'PROCESSING');
    await core.startWorker();
    const settled = await core.settled(late.id);
    assert.deepEqual([settled.status, settled.steps[0].attempt, lateSignals], ['COMPLETED', 2, [false]]);

    const { status, steps, artifacts } = await core.settled(id);
    assert.deepEqual([status, steps[0].attempt, artifacts.length], ['COMPLETED', 2, 1]);
    assert.deepEqual(attempts, [1, 2]);
    const { body } = await core.call('GET', `/resources/${id}/artifacts/${artifacts[0].id}`);
    assert.equal(body.content, 'attempt 2 of 2');
  });

  it('is stopped while the delivery of its only attempt is unanswered is delivered again, and completes', async () => {
    worker.handle = ({ message: { attempt } }) =>
      attempt.number === 1 ? undefined : { status: 200, body: { status: 'SUCCESS' } };
    const { id } = await core.upload('far');
    await eventually(() => worker.arrived.length === 1);
    await core.stopWorker();
    await core.startWorker();
    const { status, error } = await core.settled(id);
    assert.deepEqual([status, error], ['COMPLETED', null]);
    assert.deepEqual(
      worker.arrived.map(({ message: { attempt } }) => [attempt.number, attempt.max]),
      [
        [1, 1],
        [2, 2],
      ],
    );
  });

  it('has sent no heartbeat in time completes if it finishes before the next attempt begins', async () => {
    const { id } = await core.upload('silent');
    const { status, artifacts } = await core.settled(id);
    assert.deepEqual([status, artifacts.length, silentAttempts], ['COMPLETED', 2, 2]);
    // The run waited neither for the next attempt, nor 15 s after the last one.
    const temporal = await connectTemporal(core.deps.config.temporal);
    const { events } = await temporal.client.workflow.getHandle(runWorkflowId(id, 1)).fetchHistory();
    await temporal.close();
    const isLate = events?.some((event) => event.timerFiredEventAttributes);
    assert.equal(isLate, false);
  });

  it('works for seconds sends a heartbeat after each', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const heartbeat = mock.fn();
      const stop = startHeartbeat({ heartbeat } as unknown as Context);
      const counts = [999, 1, 1_000].map((ms) => {
        mock.timers.tick(ms);
        return heartbeat.mock.callCount();
      });
      stop();
      assert.deepEqual(counts, [0, 1, 2]);
    } finally {
      mock.timers.reset();
    }
  });
});
