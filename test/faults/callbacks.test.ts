import assert from 'node:assert/strict';
import { makeToken } from '../../core/secrets/token.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/workers/http-worker.js';

const note = (content: string): Record<string, unknown> => ({
  status: 'SUCCESS',
  artifact: { type: 'note', content_type: 'text', content },
});
const failure = { status: 'FAILURE', error: { code: 'NO', message: 'not today', retryable: true } };

/** The table "The callback" of the protocol, by workers and a network that do what they should not. */
describe('a report', () => {
  let core: TestCore;
  let worker: HttpWorker;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
    await core.call('POST', '/plugins', { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint });
    await core.pipeline('far', {
      plugin_id: 'far',
      max_attempts: 2,
      backoff_seconds: 0,
      timeout_seconds: 60,
    });
    await core.pipeline('hasty', {
      plugin_id: 'far',
      max_attempts: 2,
      backoff_seconds: 0,
      timeout_seconds: 6,
    });
    worker.handle = () => ({ status: 202 });
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  const stepOf = async (id: string, { run = 1, attempt = 1 } = {}): Promise<ArrivedStep> =>
    await eventually(() =>
      worker.arrived.find(
        ({ message }) =>
          message.resource.id === id && message.run === run && message.attempt.number === attempt,
      ),
    );
  const begin = async (type = 'far'): Promise<{ id: string; step: ArrivedStep }> => {
    const { id } = await core.upload(type);
    return { id, step: await stepOf(id) };
  };
  const send = async (
    step: ArrivedStep,
    report: unknown,
  ): Promise<readonly [status: number, what: unknown, reason?: unknown]> => {
    const { status, body } = await worker.report(step, report);
    if (status === 200) return [status, body['duplicate']];
    const { code, details } = body['error'] as { code: string; details: { reason?: string } };
    return details.reason === undefined ? [status, code] : [status, code, details.reason];
  };
  /** Everything of a resource that a report might have changed: its artifacts with their contents too. */
  const stateOf = async (id: string) => {
    const { body } = await core.call('GET', `/resources/${id}`);
    const contents = await Promise.all(
      body.artifacts.map(
        async (artifact: { id: string }) =>
          (await core.call('GET', `/resources/${id}/artifacts/${artifact.id}`)).body,
      ),
    );
    const objects: string[] = [];
    for await (const { key } of core.deps.objectStore.list(`resources/${id}/`)) objects.push(key);
    return { body, contents, objects: objects.sort() };
  };
  const unchanged = async (id: string, work: () => Promise<void>): Promise<void> => {
    // What the worker answered to the delivery stands in the row before it is looked at: that changes it, too.
    const before = await eventually(async () => {
      const state = await stateOf(id);
      const steps: { status: string; waiting_for: unknown }[] = state.body.steps;
      return steps.every(({ status, waiting_for }) => status !== 'RUNNING' || waiting_for !== null) && state;
    });
    await work();
    assert.deepEqual(await stateOf(id), before);
  };
  const accepted = [200, false];
  const duplicate = [200, true];
  const closedBy = (reason: string): unknown[] => [409, 'ATTEMPT_CLOSED', reason];

  it('sent several times: one is accepted, the others are duplicates', async () => {
    const { id, step } = await begin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(step, note('once'))));
    assert.deepEqual(
      answers.filter(([, isDuplicate]) => isDuplicate === false),
      [accepted],
    );
    assert.equal(answers.filter(([, isDuplicate]) => isDuplicate === true).length, 9);
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 1]);
    await unchanged(id, async () => {
      // Equal as JSON: the order of members does not count.
      const { artifact, status } = note('once');
      assert.deepEqual(await send(step, { artifact, status }), duplicate);
    });
  });

  it('with another outcome: rejected, whatever it contains', async () => {
    const { id, step } = await begin();
    assert.deepEqual(await send(step, note('first')), accepted);
    await core.settled(id);
    await unchanged(id, async () => {
      for (const other of [note('second'), failure, { status: 'SUCCESS' }])
        assert.deepEqual(await send(step, other), closedBy('SETTLED'));
      assert.deepEqual(
        await send(step, { status: 'PROGRESS', progress: { fraction: 1 } }),
        closedBy('SETTLED'),
      );
    });
  });

  it('sent twice at once with different outcomes: one of them is the outcome', async () => {
    for (let round = 0; round < (isFull ? 8 : 3); round++) {
      const { id, step } = await begin();
      const reports = [note('this'), note('that'), failure];
      const answers = await Promise.all(reports.map((report) => send(step, report)));
      const won = answers.findIndex(([status]) => status === 200);
      for (const [index, answer] of answers.entries())
        assert.deepEqual(answer, index === won ? accepted : closedBy('SETTLED'));
      if (won === 2) assert.deepEqual(await send(await stepOf(id, { attempt: 2 }), note('that')), accepted);
      const { status, artifacts } = await core.settled(id);
      assert.deepEqual([status, artifacts.length], ['COMPLETED', 1]);
      const { body } = await core.call('GET', `/resources/${id}/artifacts/${artifacts[0].id}`);
      assert.equal(body.content, won === 0 ? 'this' : 'that');
    }
  });

  it('late: rejected, during the next attempt and after it', async () => {
    const { id, step } = await begin('hasty');
    const second = await stepOf(id, { attempt: 2 });
    assert.deepEqual(await send(step, note('late')), closedBy('TIMED_OUT'));
    assert.deepEqual(await send(second, note('in time')), accepted);
    await core.settled(id);
    await unchanged(id, async () => {
      assert.deepEqual(await send(step, note('late')), closedBy('TIMED_OUT'));
      assert.deepEqual(await send(step, note('in time')), closedBy('TIMED_OUT'));
    });
  });

  it('of an older run: a duplicate if it is identical, otherwise rejected', async () => {
    const { id, step } = await begin();
    await send(step, note('of run 1'));
    await core.settled(id);
    assert.equal((await core.call('POST', `/resources/${id}/reprocess`)).status, 202);
    const again = await stepOf(id, { run: 2 });
    assert.deepEqual(await send(step, note('of run 1')), duplicate);
    assert.deepEqual(await send(step, note('other')), closedBy('SETTLED'));
    assert.equal((await core.call('GET', `/resources/${id}`)).body.status, 'PROCESSING');
    assert.deepEqual(await send(again, note('of run 2')), accepted);
    const { artifacts } = await core.settled(id);
    assert.deepEqual([artifacts.length, artifacts[0].run], [1, 2]);
    await eventually(async () => ((await stateOf(id)) as { objects: string[] }).objects.length === 2);
    await unchanged(id, async () => {
      assert.deepEqual(await send(step, note('of run 1')), duplicate);
      assert.deepEqual(await send(again, note('of run 1')), closedBy('SETTLED'));
    });
  });

  it('of an attempt that was never made: rejected', async () => {
    const { id, step } = await begin();
    const ref = { resourceId: id, run: 1, stepIndex: 0, attempt: 2 };
    const token = makeToken(core.deps.config.secrets, ref, Date.now() + 60_000);
    const callback = { ...step.message.callback, token };
    const ahead = { ...step, message: { ...step.message, callback } };
    assert.deepEqual(await send(ahead, note('too soon')), closedBy('SUPERSEDED'));
    assert.deepEqual(await send(step, note('in time')), accepted);
    assert.equal((await core.settled(id)).status, 'COMPLETED');
  });

  it('for another resource: forbidden, and neither is changed', async () => {
    const [mine, other] = [await begin(), await begin()];
    const { callback } = mine.step.message;
    const crossed = { ...callback, url: callback.url.replace(mine.id, other.id) };
    const step = { ...mine.step, message: { ...mine.step.message, callback: crossed } };
    await unchanged(other.id, async () => {
      assert.deepEqual(await send(step, note('not mine')), [403, 'FORBIDDEN']);
    });
    for (const token of ['', 'x', `${callback.token}x`, callback.token.slice(0, -4)]) {
      const forged = { ...mine.step, message: { ...mine.step.message, callback: { ...callback, token } } };
      assert.deepEqual(await send(forged, note('forged')), [401, 'UNAUTHENTICATED'], token);
    }
    // Ids are the same in upper case, as some platforms print them.
    const shouted = { ...callback, url: callback.url.replace(mine.id, mine.id.toUpperCase()) };
    mine.step = { ...mine.step, message: { ...mine.step.message, callback: shouted } };
    for (const { id, step: own } of [mine, other]) {
      assert.deepEqual(await send(own, note('own')), accepted);
      assert.equal((await core.settled(id)).artifacts.length, 1);
    }
  });

  it('after its run was cancelled: rejected', async () => {
    const { id, step } = await begin();
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    await unchanged(id, async () => {
      assert.deepEqual(await send(step, note('late')), closedBy('CANCELLED'));
    });
  });

  it('after its resource was deleted: not found, and nothing is restored', async () => {
    const { id, step } = await begin();
    await send(step, note('kept'));
    await core.settled(id);
    assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
    for (const report of [note('kept'), note('new'), failure])
      assert.deepEqual(await send(step, report), [404, 'NOT_FOUND']);
    assert.equal((await core.call('GET', `/resources/${id}`)).status, 404);
    await eventually(async () => {
      for await (const _ of core.deps.objectStore.list(`resources/${id}/`)) return false;
      return true;
    });
  });
});
