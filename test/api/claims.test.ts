import assert from 'node:assert/strict';
import type { PendingActivity } from '../../runtime/temporal/pending-activity.js';
import type { PendingWork } from '../../runtime/temporal/pending-work.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

describe('claims of attempts', () => {
  let api: TestApi;
  /** What Temporal says of the run's activity; null: it does not answer. */
  let pending: readonly Pick<PendingActivity, 'attempt'>[] | null = null;

  before(async () => {
    const pendingWork = (): Promise<PendingWork | null> =>
      Promise.resolve(
        pending === null
          ? null
          : { activities: pending as readonly PendingActivity[], failingTask: null, taskWaits: false },
      );
    api = await startApi({ workflows: { pendingWork }, env: { KW_PLUGIN_HOSTS: '127.0.0.1' } });
    const activity = { name: 'A', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('PUT', '/plugins/claimed', activity);
    await api.call('PUT', '/plugins/delivered', { name: 'H', kind: 'http', endpoint: 'http://127.0.0.1:1/' });
    for (const plugin_id of ['claimed', 'delivered']) {
      const steps = [{ plugin_id, max_attempts: 10 }];
      await api.call('POST', '/pipelines', { name: plugin_id, trigger_type: plugin_id, steps });
    }
  });
  after(() => api.stop());

  const begin = async (type: string): Promise<(attempt: number, bearer?: string) => Promise<Answer>> => {
    const { body: resource } = await api.upload({ type });
    await api.advance(resource, { kind: 'BEGIN' });
    return (attempt, bearer) =>
      api.call(
        'POST',
        '/internal/attempts',
        { resource_id: resource.id, run: 1, step_index: 0, attempt },
        bearer === undefined ? {} : { bearer },
      );
  };
  const refusal = ({ status, body }: Answer): unknown[] => [
    status,
    body.error?.code,
    body.error?.details.errors?.[0].path,
  ];

  it('are rejected for steps of HTTP plugins, whose attempts are delivered', async () => {
    const claim = await begin('delivered');
    const refused = [400, 'VALIDATION_FAILED', '/step_index'];
    assert.deepEqual(refusal(await claim(1)), refused);
    assert.deepEqual(refusal(await claim(1, await api.key('plugin:delivered'))), refused);
    assert.equal((await claim(1, await api.key('plugin:claimed'))).status, 403);
  });

  it('are rejected for attempts past the last one, or postponed while Temporal does not answer', async () => {
    const claim = await begin('claimed');
    for (const attempt of [11, 1000, 2147483647]) {
      pending = [{ attempt: 10 }];
      assert.deepEqual(refusal(await claim(attempt)), [400, 'VALIDATION_FAILED', '/attempt']);
      pending = null;
      assert.deepEqual(refusal(await claim(attempt)), [503, 'TEMPORAL_UNAVAILABLE', undefined]);
    }
    assert.equal((await claim(10)).body.attempt.number, 10);
  });

  it('are rejected for attempts that Temporal has not reached', async () => {
    const claim = await begin('claimed');
    const own = await api.key('plugin:claimed');
    pending = [{ attempt: 1 }];
    assert.equal((await claim(1, own)).body.attempt.number, 1);
    assert.deepEqual(refusal(await claim(3, own)), [400, 'VALIDATION_FAILED', '/attempt']);
    assert.equal((await claim(1, own)).body.attempt.number, 1, 'the attempt at work is not touched');
    // Attempts whose worker died before it claimed them.
    pending = [{ attempt: 5 }];
    assert.deepEqual(refusal(await claim(7, own)), [400, 'VALIDATION_FAILED', '/attempt']);
    assert.equal((await claim(5, own)).body.attempt.number, 5);
    assert.deepEqual((await claim(4, own)).body, { settled: true });
  });

  it('are accepted past the last one only up to the one that Temporal has reached', async () => {
    const claim = await begin('claimed');
    assert.equal((await claim(1)).body.attempt.number, 1);
    // An operator paused the last attempt, and Temporal makes another one.
    pending = [{ attempt: 11 }];
    assert.deepEqual(refusal(await claim(12)), [400, 'VALIDATION_FAILED', '/attempt']);
    assert.equal((await claim(11)).body.attempt.number, 11);
    assert.deepEqual(refusal(await claim(12)), [400, 'VALIDATION_FAILED', '/attempt']);
  });
});
