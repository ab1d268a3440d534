import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createLiveSteps, mergeSighting } from '../../api/lookups/live-steps.js';
import type { PendingActivity } from '../../runtime/temporal/pending-activity.js';
import type { Resource } from '../../storage/resources/resources.js';
import { findStep, type Step } from '../../storage/runs/runs.js';
import { startApi, type TestApi } from '../support/service/api.js';

const later = new Date('2100-01-01T00:00:00.000Z');
const row: Step = {
  resource_id: 'r',
  run: 1,
  index: 0,
  plugin_id: 'ocr',
  kind: 'activity',
  task_queue: 'ocr',
  activity_type: 'recognise',
  endpoint: null,
  heartbeat_seconds: null,
  max_attempts: 3,
  backoff_seconds: 5,
  timeout_seconds: 300,
  status: 'RUNNING',
  attempt: 1,
  attempt_base: 0,
  interruptions: 0,
  retry_at: null,
  started_at: null,
  attempt_started_at: null,
  finished_at: null,
  queue_seconds: null,
  run_seconds: null,
  progress: null,
  error: null,
  waiting_for: null,
};
const activity: PendingActivity = {
  activityId: '1',
  activityType: 'recognise',
  taskQueue: null,
  state: 'SCHEDULED',
  attempt: 1,
  nextAttemptAt: null,
  lastFailure: null,
};
const failure = { type: 'OCR_BUSY', message: 'come back' };
const polledAt = new Date('2026-01-02T03:04:05.678Z');
const fetching = { kind: 'fetch', until: null, task_queue: null, message: 'fetching' } as const;

describe('the steps of a resource being processed', () => {
  it('combine the row with what Temporal reports', () => {
    const cases: [string, Partial<Step>, Partial<PendingActivity> | null, number | null, object][] = [
      [
        'no worker',
        {},
        {},
        0,
        {
          status: 'RUNNING',
          attempt: 1,
          waiting_for: {
            kind: 'worker',
            until: null,
            task_queue: 'ocr',
            message: 'No worker polls the task queue ocr.',
          },
        },
      ],
      [
        'busy workers',
        {},
        {},
        2,
        {
          waiting_for: {
            kind: 'worker',
            until: null,
            task_queue: 'ocr',
            message:
              'Waiting for a worker: 2 workers polled the task queue ocr in the last 90 seconds, the last at 2026-01-02T03:04:05Z. A running worker polls at least once a minute.',
          },
        },
      ],
      [
        'who knows how many workers',
        {},
        {},
        null,
        {
          waiting_for: {
            kind: 'worker',
            until: null,
            task_queue: 'ocr',
            message: 'Waiting for a worker on the task queue ocr.',
          },
        },
      ],
      [
        'at work',
        { waiting_for: { ...fetching, kind: 'worker' } },
        { state: 'STARTED' },
        1,
        { status: 'RUNNING', waiting_for: null },
      ],
      [
        'a second attempt, after others',
        { attempt_base: 4, attempt: 5 },
        { state: 'STARTED', attempt: 2 },
        1,
        { attempt: 6 },
      ],
      [
        'a claim that Temporal does not show yet',
        { attempt: 7 },
        { state: 'STARTED', attempt: 2 },
        1,
        { attempt: 7 },
      ],
      [
        'a pause',
        {},
        { attempt: 2, nextAttemptAt: later, lastFailure: failure },
        1,
        {
          status: 'RETRYING',
          attempt: 1,
          error: { code: 'OCR_BUSY', message: 'come back', details: {} },
          waiting_for: {
            kind: 'retry',
            until: later.toISOString(),
            task_queue: null,
            message: 'The next attempt starts after a pause. The last attempt failed: come back',
          },
        },
      ],
      [
        'a pause after attempts that were not claimed, after others',
        { attempt_base: 4, attempt: 5 },
        { attempt: 3, nextAttemptAt: later },
        1,
        { status: 'RETRYING', attempt: 6 },
      ],
      [
        'an error that the row knows',
        { error: { code: 'MINE', message: 'm', details: {} } },
        { state: 'STARTED', lastFailure: failure },
        1,
        { error: { code: 'MINE', message: 'm', details: {} } },
      ],
      [
        'a plain error',
        {},
        { state: 'STARTED', lastFailure: { type: 'TypeError', message: 'x' } },
        1,
        { error: { code: 'STEP_FAILED', message: 'x', details: {} } },
      ],
      [
        'a time-out',
        {},
        { state: 'STARTED', lastFailure: { type: '', message: 'activity StartToClose timeout' } },
        1,
        { error: { code: 'STEP_TIMED_OUT', message: 'activity StartToClose timeout', details: {} } },
      ],
      [
        'an activity that the run is about to replace',
        { attempt_base: 1, status: 'RETRYING' },
        { attempt: 2, nextAttemptAt: later },
        1,
        { attempt: 1 },
      ],
      [
        'the activity that replaced it',
        { attempt_base: 1, status: 'RETRYING' },
        {},
        1,
        { status: 'RUNNING', attempt: 2 },
      ],
      [
        'an activity that the run has cancelled',
        { attempt_base: 2, attempt: 2, status: 'RETRYING', waiting_for: { ...fetching, kind: 'retry' } },
        { state: 'CANCELLING' },
        1,
        { attempt: 2, status: 'RETRYING', waiting_for: { ...fetching, kind: 'retry' } },
      ],
      ['another activity', {}, { activityType: 'other', attempt: 9 }, 1, { attempt: 1, waiting_for: null }],
      [
        'a result that cannot be recorded',
        {},
        {
          activityType: 'advanceRun',
          nextAttemptAt: later,
          lastFailure: { type: 'STORAGE_UNAVAILABLE', message: 'The store is away.' },
        },
        1,
        {
          status: 'RUNNING',
          attempt: 1,
          error: null,
          waiting_for: {
            kind: 'retry',
            until: later.toISOString(),
            task_queue: null,
            message: 'The result cannot be recorded: The store is away.',
          },
        },
      ],
      [
        'an HTTP step that is delivered',
        { kind: 'http' },
        { activityType: 'deliverStep' },
        0,
        {
          waiting_for: {
            kind: 'worker',
            until: null,
            task_queue: 'kw-core',
            message: 'No worker polls the task queue kw-core.',
          },
        },
      ],
      [
        'an HTTP step that waits for a free slot',
        { kind: 'http' },
        { activityType: 'deliverStep' },
        1,
        {
          waiting_for: {
            kind: 'room',
            until: null,
            task_queue: 'kw-core-plugins',
            message: 'Waiting for a free slot. A worker that has one takes the next step of an HTTP plugin.',
          },
        },
      ],
      [
        'a document for which no process is free',
        { task_queue: 'kw-core' },
        { taskQueue: 'kw-core-documents' },
        1,
        {
          waiting_for: {
            kind: 'room',
            until: null,
            task_queue: 'kw-core-documents',
            message: 'Waiting for a free slot. A worker that has one takes the next document.',
          },
        },
      ],
      [
        'a document for which there is no worker',
        { task_queue: 'kw-core' },
        { taskQueue: 'kw-core-documents' },
        0,
        {
          waiting_for: {
            kind: 'worker',
            until: null,
            task_queue: 'kw-core',
            message: 'No worker polls the task queue kw-core.',
          },
        },
      ],
      [
        'an HTTP step that waits',
        { kind: 'http', waiting_for: { ...fetching, kind: 'callback' } },
        null,
        1,
        { waiting_for: { ...fetching, kind: 'callback' } },
      ],
      [
        'a fetch',
        { status: 'PENDING', attempt: 0, waiting_for: fetching },
        { activityType: 'fetchSource', state: 'STARTED' },
        1,
        { status: 'PENDING', attempt: 0, waiting_for: fetching },
      ],
      [
        'a fetch that failed',
        { status: 'PENDING', attempt: 0, waiting_for: fetching },
        { activityType: 'fetchSource', nextAttemptAt: later },
        1,
        {
          waiting_for: {
            kind: 'fetch',
            until: later.toISOString(),
            task_queue: null,
            message: 'The next attempt starts after a pause.',
          },
        },
      ],
      [
        'a run that no worker began',
        { status: 'PENDING', attempt: 0 },
        null,
        0,
        {
          status: 'PENDING',
          attempt: 0,
          waiting_for: {
            kind: 'worker',
            until: null,
            task_queue: 'kw-core',
            message: 'No worker polls the task queue kw-core.',
          },
        },
      ],
    ];
    for (const [name, ofRow, ofActivity, pollers, expected] of cases) {
      const polling = pollers === null ? null : { pollers, lastPolledAt: pollers === 0 ? null : polledAt };
      const activities = ofActivity === null ? [] : [{ ...activity, ...ofActivity }];
      const merged = mergeSighting(
        { ...row, ...ofRow },
        { activities, failingTask: null, taskWaits: false, foreign: null, polling, unsent: null },
      );
      assert.deepEqual(
        Object.fromEntries(Object.keys(expected).map((key) => [key, merged[key as keyof Step]])),
        expected,
        name,
      );
    }
    const nothing = {
      activities: null,
      failingTask: null,
      taskWaits: false,
      foreign: null,
      polling: null,
      unsent: null,
    };
    const away = mergeSighting({ ...row, status: 'PENDING' }, nothing);
    assert.match(away.waiting_for?.message ?? '', /Temporal does not answer/);
    assert.deepEqual(mergeSighting(row, nothing), row);
    const slow = mergeSighting(row, { ...nothing, failingTask: { failures: 2, reason: null } });
    assert.match(slow.waiting_for?.message ?? '', /task of this run has failed or timed out 2 times\. /);
    const foreign = mergeSighting({ ...row, status: 'PENDING' }, { ...nothing, foreign: 'its type is x' });
    assert.equal(foreign.waiting_for?.kind, 'workflow');
    assert.match(foreign.waiting_for.message, /the workflow of this run: its type is x\. Cancel to end/);
  });

  it('cost one Temporal call a second, and none after the run', async () => {
    let asked = 0;
    const live = createLiveSteps(
      {
        pendingWork: () =>
          Promise.resolve({
            activities: [{ ...activity, attempt: (asked += 1) }],
            failingTask: null,
            taskWaits: false,
            foreign: null,
          }),
        readPolling: () => Promise.resolve({ pollers: 0, lastPolledAt: null }),
      },
      () => assert.fail('asked whether a step at work was begun'),
    );
    const resource = { id: 'r', run: 1, status: 'PROCESSING' } as Resource;
    await Promise.all([live(resource, [row]), live(resource, [row])]);
    assert.equal((await live(resource, [row]))[0]?.attempt, 1);
    assert.equal(asked, 1);
    await live({ ...resource, id: 'other' }, [row]);
    assert.equal(asked, 2);
    await live(resource, [{ ...row, attempt_base: 1 }]);
    assert.equal(asked, 3, 'an attempt was added to a base that it does not count from');
    assert.deepEqual(await live({ ...resource, status: 'COMPLETED', run: 2 }, [row]), [row]);
    assert.equal(asked, 3);
  });

  it('do not wait longer for two answers of Temporal than for one', async () => {
    let waitedMs = 0;
    const hang = async (timeoutMs: number): Promise<null> => {
      waitedMs += timeoutMs;
      await pause(timeoutMs);
      return null;
    };
    const live = createLiveSteps(
      {
        pendingWork: (_id, _run, timeoutMs) => hang(timeoutMs),
        readPolling: (_queue, timeoutMs) => hang(timeoutMs),
      },
      () => Promise.resolve(null),
    );
    const resource = { id: 'r', run: 1, status: 'PROCESSING' } as Resource;
    assert.deepEqual(await live(resource, [row]), [row]);
    assert.ok(waitedMs < 310, `${waitedMs} ms`);
  });

  describe('in the API', () => {
    let api: TestApi;
    let pending: PendingActivity[] = [];

    before(async () => {
      api = await startApi({
        workflows: {
          pendingWork: () =>
            Promise.resolve({ activities: pending, failingTask: null, taskWaits: false, foreign: null }),
          readPolling: () => Promise.resolve({ pollers: 0, lastPolledAt: null }),
        },
      });
    });
    after(() => api.stop());

    it('show and store the newest attempt, which is not the one after the pause', async () => {
      await api.call('PUT', '/plugins/ocr', {
        name: 'O',
        kind: 'activity',
        task_queue: 'ocr',
        activity_type: 'recognise',
      });
      await api.call('POST', '/pipelines', {
        name: 'P',
        trigger_type: 'document',
        steps: [{ plugin_id: 'ocr' }],
      });
      const { body: resource } = await api.upload();
      await api.advance(resource, { kind: 'BEGIN' });
      pending = [{ ...activity, attempt: 3, nextAttemptAt: later, lastFailure: failure }];
      const [step] = (await api.call('GET', `/resources/${resource.id}`)).body.steps;
      assert.deepEqual(
        [step.status, step.attempt, step.waiting_for.kind, step.error.code],
        ['RETRYING', 2, 'retry', 'OCR_BUSY'],
      );
      assert.equal((await findStep(api.deps.db, resource.id, 1, 0))?.attempt, 2);
      const [listed] = (await api.call('GET', '/resources?include=steps')).body.items[0].steps;
      assert.deepEqual([listed.status, listed.attempt], ['RUNNING', 2]);
    });
  });
});
