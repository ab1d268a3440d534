import assert from 'node:assert/strict';
import { createLiveSteps } from '../../api/lookups/live-steps.js';
import { createWaitSweep } from '../../api/lookups/wait-sweep.js';
import type { PendingActivity } from '../../runtime/temporal/pending-activity.js';
import { startApi, type TestApi } from '../support/service/api.js';

describe('the filter waiting', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const shared = { name: 'N', task_queue: 'q', activity_type: 'a' };
    await api.call('POST', '/plugins', { ...shared, id: 'w', kind: 'activity' });
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: 'piped',
      steps: [{ plugin_id: 'w' }, { plugin_id: 'w' }],
    });
  });
  after(() => api.stop());

  interface Run {
    readonly id: string;
    readonly run: number;
  }

  const begin = async (): Promise<Run> => {
    const { body } = await api.upload({ type: 'piped' });
    await api.advance(body, { kind: 'BEGIN' });
    return body;
  };
  const isListed = async ({ id }: Run, waiting: boolean): Promise<boolean> =>
    (await api.call('GET', `/resources?waiting=${waiting}&limit=200`)).body.items.some(
      (each: Run) => each.id === id,
    );
  const isWaiting = async (run: Run): Promise<boolean> => {
    const listed = await isListed(run, true);
    assert.notEqual(await isListed(run, false), listed, 'each resource is one or the other');
    return listed;
  };
  /** As if all of it had happened earlier. */
  const pass = async ({ id }: Run, seconds: number): Promise<void> => {
    const earlier = (column: string): string => `${column} = ${column} - make_interval(secs => ${seconds})`;
    await api.deps.db.raw(
      `update steps set ${['waiting_since', 'wait_checked_at', 'started_at'].map(earlier).join()} where resource_id = ?`,
      [id],
    );
  };
  const claim = async ({ id, run }: Run, attempt: number): Promise<void> => {
    const body = { resource_id: id, run, step_index: 0, attempt };
    const { status, text } = await api.call('POST', '/internal/attempts', body, {
      bearer: await api.key('plugin:w'),
    });
    assert.equal(status, 200, text);
  };
  /** Looks at steps while this is all that Temporal has of a run; null: it does not answer. */
  const look = async (activity: Partial<PendingActivity> | null): Promise<void> => {
    const pending = {
      activityId: '1',
      activityType: 'a',
      taskQueue: 'q',
      attempt: 1,
      nextAttemptAt: null,
      lastFailure: null,
    };
    const live = createLiveSteps(
      {
        pendingWork: () =>
          Promise.resolve(
            activity && {
              activities: [{ ...pending, state: 'OTHER', ...activity }],
              failingTask: null,
              taskWaits: false,
              foreign: null,
            },
          ),
        readPolling: () => Promise.resolve({ pollers: 0, lastPolledAt: null }),
      },
      () => Promise.resolve(null),
    );
    await createWaitSweep(api.deps.db, live).run(new AbortController().signal);
  };

  it('finds a run that is not started, and a step that is not claimed, after ten seconds', async () => {
    const register = async (): Promise<Run> => (await api.upload({ type: 'piped' })).body;
    const runs: Run[] = [];
    for (const make of [register, begin]) {
      const run = await make();
      runs.push(run);
      assert.equal(await isWaiting(run), false);
      // The requests themselves may take seconds.
      await pass(run, 5);
      assert.equal(await isWaiting(run), false);
      await pass(run, 6);
      assert.equal(await isWaiting(run), true);
    }
    const [unbegun, unclaimed] = runs as [Run, Run];
    await claim(unclaimed, 1);
    assert.equal(await isWaiting(unclaimed), false);
    await api.call('POST', `/resources/${unbegun.id}/cancel`);
    assert.equal(await isWaiting(unbegun), false);
  });

  it('finds the pause before another attempt', async () => {
    const run = await begin();
    await claim(run, 1);
    const failure = {
      code: 'BUSY',
      message: 'later',
      details: {},
      retryable: true,
      cause: 'ERROR',
      attempt: 1,
      exhausted: false,
    } as const;
    await api.advance(run, { kind: 'FAILED', index: 0, failure });
    await pass(run, 11);
    assert.equal(await isWaiting(run), true);
  });

  it('learns from Temporal what no row shows: a missing worker, or one that works without a claim', async () => {
    const lost = await begin();
    await claim(lost, 1);
    await pass(lost, 11);
    await look({ state: 'SCHEDULED', attempt: 2 });
    assert.equal(await isWaiting(lost), false, 'it has waited for a moment');
    await pass(lost, 11);
    await look(null);
    assert.equal(await isWaiting(lost), true, 'a Temporal that is away says nothing');
    await claim(lost, 2);
    assert.equal(await isWaiting(lost), false);

    const unclaimed = await begin();
    await pass(unclaimed, 11);
    assert.equal(await isWaiting(unclaimed), true);
    await look({ state: 'STARTED' });
    assert.equal(await isWaiting(unclaimed), false);
    await pass(unclaimed, 11);
    await look({ state: 'SCHEDULED', attempt: 2, nextAttemptAt: new Date('2100-01-01') });
    await pass(unclaimed, 11);
    assert.equal(await isWaiting(unclaimed), true);
  });
});
