import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';

describe('a worker that is stopped gracefully', () => {
  let core: TestCore;
  const attempts: number[] = [];
  let stopped = 0;

  before(async () => {
    const plugin = notePlugin(async (ctx) => {
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
    core = await startCore({ plugins: [plugin] });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 1 });
  });
  after(() => core.stop());

  it('in the middle of a step with one attempt: the step is scheduled again, and completes', async () => {
    const { id } = await core.upload('noted');
    await eventually(() => attempts.length === 1);
    await core.stopWorker();
    assert.equal(stopped, 1, 'it was not at work any more');
    assert.equal((await core.call('GET', `/resources/${id}`)).body.status, 'PROCESSING');
    await core.startWorker();

    const { status, steps, artifacts } = await core.settled(id);
    assert.deepEqual([status, steps[0].attempt, artifacts.length], ['COMPLETED', 2, 1]);
    assert.deepEqual(attempts, [1, 2]);
    const { body } = await core.call('GET', `/resources/${id}/artifacts/${artifacts[0].id}`);
    assert.equal(body.content, 'attempt 2 of 2');
  });
});

describe('a built-in step whose worker', () => {
  let core: TestCore;
  let attempts = 0;
  let work: (signal: AbortSignal) => Promise<unknown>;

  before(async () => {
    const plugin = notePlugin(async (ctx) => {
      attempts += 1;
      await work(ctx.signal);
      await emitNote(ctx, 'finished');
    });
    core = await startCore({ plugins: [plugin] });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 3, backoff_seconds: 10 });
    await core.pipeline('once', { plugin_id: 'note', max_attempts: 1 });
  });
  after(() => core.stop());

  const assertOneAttempt = async (options: {
    readonly heartbeatSeconds: number;
    readonly type?: string;
  }): Promise<string> => {
    attempts = 0;
    const { heartbeatSeconds: heartbeat_seconds, type = 'noted' } = options;
    await core.deps.db('plugins').where({ id: 'note' }).update({ heartbeat_seconds });
    const { id } = await core.upload(type);
    const { status, artifacts } = await core.settled(id);
    assert.deepEqual([status, artifacts.length, attempts], ['COMPLETED', 1, 1]);
    return id;
  };

  it('has sent no heartbeat in time completes if it finishes before the next attempt begins', async () => {
    work = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    await assertOneAttempt({ heartbeatSeconds: 0.5 });
    // After the last attempt, the run waits for up to 15 s, but no longer than for the outcome.
    const id = await assertOneAttempt({ heartbeatSeconds: 0.5, type: 'once' });
    const { finished_at } = await core.deps.db('steps').where({ resource_id: id }).first();
    const { settled_at } = await core.deps.db('attempts').where({ resource_id: id }).first();
    assert.ok(finished_at - settled_at < 10_000, `The run noticed it after ${finished_at - settled_at} ms.`);
  });

  it('works for seconds sends the first heartbeat after one', async () => {
    work = (signal) => pause(3_500, undefined, { signal });
    await assertOneAttempt({ heartbeatSeconds: 2.5 });
  });
});
