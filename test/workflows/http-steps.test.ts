import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyMessage } from '@knowledge-warehouse/plugin/signing';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createCancelDelivery } from '../../activities/delivery/cancel-delivery.js';
import { runWorkflowId, uuidv7 } from '../../core/ids.js';
import { connectTemporal } from '../../runtime/temporal/connection.js';
import { advance } from '../../storage/transitions/advance.js';
import { startCore, type TestCore } from '../support/service/core.js';
import {
  startHttpWorker,
  type ArrivedStep,
  type HttpWorker,
  type WorkerReply,
} from '../support/workers/http-worker.js';
import { eventually } from '../support/eventually.js';

const noUpload = '01890a5d-ac96-774b-bcce-b302099a8057';
const text = (content: string) => ({ type: 'note', content_type: 'text', content });

describe('a step of an HTTP plugin', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let secret: string;

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [] }), startHttpWorker()]);
    const plugin = {
      id: 'notes',
      name: 'Notes',
      kind: 'http',
      endpoint: worker.endpoint,
      config: { depth: 2 },
    };
    const answer = await core.call('POST', '/plugins', plugin);
    assert.equal(answer.status, 201);
    secret = answer.body.signing_secret;
    await core.pipeline('once', {
      plugin_id: 'notes',
      max_attempts: 1,
      backoff_seconds: 0,
      timeout_seconds: 20,
    });
    await core.pipeline('twice', {
      plugin_id: 'notes',
      max_attempts: 2,
      backoff_seconds: 0,
      timeout_seconds: 20,
    });
    await core.pipeline('thrice', {
      plugin_id: 'notes',
      max_attempts: 3,
      backoff_seconds: 1,
      timeout_seconds: 20,
    });
    await core.pipeline('hasty', {
      plugin_id: 'notes',
      max_attempts: 2,
      backoff_seconds: 0,
      timeout_seconds: 1,
    });
  });
  beforeEach(() => {
    worker.arrived.length = 0;
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  /** What the Temporal Web UI calls the timers that a run has started. */
  const timerSummaries = async (id: string): Promise<unknown[]> => {
    const temporal = await connectTemporal(core.deps.config.temporal);
    try {
      const { events = [] } = await temporal.client.workflow.getHandle(runWorkflowId(id, 1)).fetchHistory();
      return (events ?? [])
        .filter(({ timerStartedEventAttributes: timer }) => timer)
        .map(({ userMetadata }) => JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString()));
    } finally {
      await temporal.close();
    }
  };

  it('is delivered signed, with all it needs; the response may hold the outcome', async () => {
    worker.handle = () => ({ status: 200, body: { status: 'SUCCESS', artifact: text('done') } });
    const { id } = await core.upload('once', 'the bytes');
    const resource = await core.settled(id);
    assert.equal(resource.status, 'COMPLETED');

    const [step] = worker.arrived;
    assert.ok(step && worker.arrived.length === 1);
    assert.ok(verifyMessage(secret, step.headers, step.raw));
    assert.ok(!step.raw.includes(secret));
    const { message } = step;
    assert.deepEqual(message.plugin, { id: 'notes', config: { depth: 2 } });
    assert.deepEqual(
      [message.attempt.number, message.attempt.max, message.run, message.step_index],
      [1, 1, 1, 0],
    );

    const { body } = await core.call('GET', `/resources/${id}/artifacts/${resource.artifacts[0].id}`);
    assert.deepEqual([body.type, body.content_type, body.content], ['note', 'text', 'done']);
    const { body: plugin } = await core.call('GET', '/plugins/notes');
    assert.ok(Date.parse(plugin.last_seen_at) >= Date.parse(resource.created_at), plugin.last_seen_at);
  });

  for (const [what, timeout_seconds, handle] of [
    ['accepts late', 2, () => delay(1_750, { status: 202 })],
    ['accepts in a short time-out', 0.2, () => ({ status: 202 })],
    ['never answers', 0.5, () => undefined],
  ] as const)
    it(`fails once its only attempt has timed out, if its worker ${what}`, async () => {
      worker.handle = handle;
      const type = what.replaceAll(' ', '-');
      await core.pipeline(type, { plugin_id: 'notes', max_attempts: 1, backoff_seconds: 0, timeout_seconds });
      const { id } = await core.upload(type);
      const { status, error, steps } = await core.settled(id);
      assert.deepEqual([status, error.code], ['FAILED', 'STEP_TIMED_OUT']);
      assert.deepEqual([steps[0].attempt, steps[0].max_attempts], [1, 1]);
      assert.ok(worker.arrived.length <= 1);
    });

  it('keeps its deadline if the worker accepts it, but Temporal missed the heartbeats of the last delivery', async () => {
    let accept: () => void = () => undefined;
    const accepted = new Promise<void>((resolve) => (accept = resolve));
    worker.handle = async () => {
      await accepted;
      return { status: 202 };
    };
    const limits = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 300 };
    await core.pipeline('at-leisure', { plugin_id: 'notes', ...limits });
    const { id } = await core.upload('at-leisure');
    const step = await eventually(() => worker.arrived[0]);
    const row = core.deps.db('attempts').where({ resource_id: id });
    const before = await row.clone().first();
    const told = { details: {}, attempt: null, retryable: true, exhausted: true };
    const failure = { ...told, code: 'HEARTBEAT_TIMED_OUT', message: 'silent', cause: 'TIMED_OUT' as const };
    const event = { kind: 'FAILED', index: 0, attemptBase: 0, failure } as const;
    const { deps, base: coreUrl } = core;
    const fallSilent = async (): Promise<void> => {
      const { instruction } = await advance(deps.db, { resourceId: id, run: 1 }, event, { coreUrl });
      assert.equal(instruction.do, 'WAIT');
    };
    await fallSilent();
    assert.ok((await row.clone().first()).deadline < before.deadline);
    accept();
    await eventually(async () => (await row.clone().first()).accepted_at !== null);
    await fallSilent();
    const { accepted_at: _accepted, ...after } = await row.clone().first();
    assert.deepEqual({ ...after, accepted_at: null }, before);
    const { status } = await worker.report(step, { status: 'SUCCESS', artifacts: [text('done')] });
    assert.equal(status, 200);
    assert.equal((await core.settled(id)).status, 'COMPLETED');
  });

  describe('whose delivery an operator completes by hand', () => {
    const complete = async (id: string, result: unknown): Promise<void> => {
      const temporal = await connectTemporal(core.deps.config.temporal);
      const workflowId = runWorkflowId(id, 1);
      try {
        const { raw } = await temporal.client.workflow.getHandle(workflowId).describe();
        const activityId = raw.pendingActivities?.[0]?.activityId ?? '';
        await temporal.client.activity.complete({ workflowId, activityId }, result);
      } finally {
        await temporal.close();
      }
    };

    it('keeps its attempt until the deadline if the result says nothing', async () => {
      worker.handle = () => undefined;
      const { id } = await core.upload('thrice');
      const step = await eventually(() => worker.arrived[0]);
      await complete(id, 'rubbish');
      await eventually(async () => (await timerSummaries(id)).length > 0);
      const { body } = await core.call('GET', `/resources/${id}`);
      assert.deepEqual([body.steps[0].status, body.steps[0].attempt], ['RUNNING', 1]);
      const { status } = await worker.report(step, { status: 'SUCCESS', artifacts: [text('done')] });
      assert.equal(status, 200);
      assert.equal((await core.settled(id)).status, 'COMPLETED');
      assert.equal(worker.arrived.length, 1);
    });

    it('times out although the result promises a longer wait', async () => {
      worker.handle = () => undefined;
      await core.pipeline('brief', {
        plugin_id: 'notes',
        max_attempts: 1,
        backoff_seconds: 0,
        timeout_seconds: 3,
      });
      const { id } = await core.upload('brief');
      await eventually(() => worker.arrived[0]);
      await complete(id, { attempt: 1, remainingMs: 2 ** 52, settled: false });
      const { status, error } = await core.settled(id);
      assert.deepEqual([status, error.code], ['FAILED', 'STEP_TIMED_OUT']);
    });
  });

  it('may be reported later, and read from meanwhile; then its attempt is closed', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('once', '0123456789');
    const step = await eventually(() => worker.arrived[0]);
    const { source_url } = step.message.resource;
    const read = (headers: Record<string, string>): Promise<Response> =>
      fetch(source_url, { headers: { authorization: `Bearer ${step.message.callback.token}`, ...headers } });
    assert.equal(await (await read({})).text(), '0123456789');
    const part = await read({ range: 'bytes=2-4' });
    assert.deepEqual(
      [part.status, part.headers.get('content-range'), await part.text()],
      [206, 'bytes 2-4/10', '234'],
    );
    assert.equal((await read({ range: 'bytes=20-' })).status, 416);

    await eventually(async () => {
      const { body } = await core.call('GET', `/resources/${id}`);
      return body.steps[0].waiting_for?.kind === 'callback' && body.steps[0].waiting_for.until;
    });
    const timers = await eventually(async () => {
      const summaries = await timerSummaries(id);
      return summaries.length > 0 && summaries;
    });
    assert.deepEqual(timers, ['Step 0 · notes · report of attempt 1']);
    const progress = await worker.report(step, {
      status: 'PROGRESS',
      progress: { fraction: 0.5, message: 'half' },
    });
    assert.equal(progress.status, 200);
    const { body: half } = await core.call('GET', `/resources/${id}`);
    assert.deepEqual(half.steps[0].progress, { fraction: 0.5, message: 'half' });

    const success = { status: 'SUCCESS', artifacts: [text('later')] };
    const accepted = await worker.report(step, success);
    assert.deepEqual(accepted, {
      status: 200,
      body: { accepted: true, duplicate: false, cancel_requested: false },
    });
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    const { items: attempts } = (await core.call('GET', `/resources/${id}/attempts`)).body;
    const [{ started_at, accepted_at, finished_at, ...attempt }] = attempts;
    assert.deepEqual(
      [attempts.length, attempt.outcome, attempt.error, attempt.retry_at],
      [1, 'SUCCESS', null, null],
    );
    assert.ok(
      started_at <= accepted_at && accepted_at < finished_at,
      'it says from when on it was waited for',
    );

    assert.equal((await worker.report(step, success)).body['duplicate'], true);
    const other = await worker.report(step, { status: 'FAILURE', error: { code: 'LATE', message: 'no' } });
    assert.deepEqual([other.status, closedReason(other)], [409, 'SETTLED']);
    assert.equal((await read({})).status, 409);
  });

  it('is retried after its pause when it fails, and the last failure is the resource’s', async () => {
    worker.handle = (step) => {
      setTimeout(() => void worker.report(step, failure(`NO_${step.message.attempt.number}`)), 10);
      return { status: 202 };
    };
    const { id } = await core.upload('thrice');
    const resource = await core.settled(id);
    assert.deepEqual(resource.error, { code: 'NO_3', message: 'not today', step: 0 });
    assert.deepEqual(
      [resource.status, resource.steps[0].status, resource.steps[0].attempt],
      ['FAILED', 'FAILED', 3],
    );
    const numbers = worker.arrived.map((step) => step.message.attempt.number);
    assert.deepEqual(numbers, [1, 2, 3]);
    const attempts: any[] = [];
    for (let cursor = ''; attempts.length < 3;) {
      const { body: page } = await core.call('GET', `/resources/${id}/attempts?run=1&limit=2${cursor}`);
      attempts.push(...page.items);
      cursor = `&cursor=${page.next_cursor}`;
      assert.equal(page.next_cursor === null, attempts.length === 3);
    }
    assert.deepEqual(
      attempts.map(({ number, outcome, error }) => [number, outcome, error.code]),
      [
        [3, 'FAILURE', 'NO_3'],
        [2, 'FAILURE', 'NO_2'],
        [1, 'FAILURE', 'NO_1'],
      ],
    );
    assert.deepEqual(
      attempts.map(({ finished_at, retry_at }) => retry_at && Date.parse(retry_at) - Date.parse(finished_at)),
      [null, 1_000, 1_000],
    );
    assert.ok(attempts[0].started_at >= attempts[1].retry_at, 'the next attempt comes after the pause');
    assert.deepEqual((await core.call('GET', `/resources/${id}/attempts?run=2`)).body.items, []);

    const pauses = worker.arrived.slice(1).map((step, index) => step.at - worker.arrived[index]!.at);
    assert.ok(
      pauses.every((pause) => pause >= 1_000),
      pauses.join(),
    );
    const ids = new Set(worker.arrived.map((step) => step.headers['webhook-id']));
    assert.equal(ids.size, 3);
  });

  it('times out without a report, and a late report is rejected', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('hasty');
    const resource = await core.settled(id);
    assert.deepEqual(
      [resource.status, resource.error.code, worker.arrived.length],
      ['FAILED', 'STEP_TIMED_OUT', 2],
    );
    const late = await worker.report(worker.arrived[0]!, { status: 'SUCCESS', artifact: text('late') });
    assert.deepEqual([late.status, closedReason(late)], [409, 'TIMED_OUT']);
    assert.deepEqual((await core.call('GET', `/resources/${id}`)).body.artifacts, []);
  });

  const tooLong = 'x'.repeat(5 * 1024 * 1024);
  const hugeNumber = JSON.stringify({
    status: 'SUCCESS',
    artifact: { ...text('x'), metadata: { a: 0 } },
  }).replace('0}', '1e400}');
  const replies: readonly (readonly [string, WorkerReply, number, string])[] = [
    ['503 is tried again', { status: 503 }, 2, 'DELIVERY_FAILED'],
    ['429 is tried again', { status: 429 }, 2, 'DELIVERY_FAILED'],
    ['400 rejects the step', { status: 400 }, 1, 'DELIVERY_REJECTED'],
    ['the body of a 400 is ignored', { status: 400, body: tooLong }, 1, 'DELIVERY_REJECTED'],
    ['204 is no report', { status: 204 }, 2, 'INVALID_REPORT'],
    ['a redirect is not followed', { status: 302, headers: { location: '/elsewhere' } }, 2, 'INVALID_REPORT'],
    ['an unknown report is none', { status: 200, body: { status: 'DONE' } }, 2, 'INVALID_REPORT'],
    [
      'progress is no outcome',
      { status: 200, body: { status: 'PROGRESS', progress: {} } },
      2,
      'INVALID_REPORT',
    ],
    [
      'a failure with too long details is no report',
      {
        status: 200,
        body: { status: 'FAILURE', error: { code: 'LONG', details: { trace: 'x'.repeat(70_000) } } },
      },
      2,
      'INVALID_REPORT',
    ],
    [
      'nesting without end is no report',
      { status: 200, body: '['.repeat(50_000) + ']'.repeat(50_000) },
      2,
      'INVALID_REPORT',
    ],
    [
      'content of 65 levels is no report',
      {
        status: 200,
        body: `{"status":"SUCCESS","artifact":{"type":"t","content_type":"json","content":${'{"a":'.repeat(65)}0${'}'.repeat(65)}}}`,
      },
      2,
      'INVALID_REPORT',
    ],
    [
      'bytes that are not UTF-8 are no report',
      {
        status: 200,
        body: Buffer.from(JSON.stringify({ status: 'FAILURE', error: { code: 'caf\u00e9' } }), 'latin1'),
      },
      2,
      'INVALID_REPORT',
    ],
    [
      'an upload of another attempt is no report',
      {
        status: 200,
        body: { status: 'SUCCESS', artifact: { ...text(''), content: undefined, upload_id: noUpload } },
      },
      2,
      'INVALID_REPORT',
    ],
    ['a number that no double holds is no report', { status: 200, body: hugeNumber }, 2, 'INVALID_REPORT'],
    ['a final failure ends the step', { status: 200, body: failure('NEVER', false) }, 1, 'NEVER'],
    [
      'a byte order mark is ignored',
      { status: 200, body: `\ufeff${JSON.stringify(failure('NEVER', false))}` },
      1,
      'NEVER',
    ],
  ];
  for (const [name, reply, attempts, code] of replies) {
    it(`reply: ${name}`, async () => {
      worker.handle = () => reply;
      const { id } = await core.upload('twice');
      const resource = await core.settled(id);
      assert.deepEqual(
        [resource.status, resource.error.code, worker.arrived.length],
        ['FAILED', code, attempts],
      );
    });
  }

  it('honours a Retry-After that is longer than its backoff', async () => {
    worker.handle = ({ message }) =>
      message.attempt.number === 1
        ? { status: 503, headers: { 'retry-after': '3' } }
        : { status: 200, body: { status: 'SUCCESS' } };
    const { id } = await core.upload('thrice');
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    const [first, second] = worker.arrived as [ArrivedStep, ArrivedStep];
    assert.ok(second.at - first.at >= 3_000, `${second.at - first.at}`);
  });

  it('can be cancelled while its worker is working', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('once');
    const step = await eventually(() => worker.arrived[0]);
    assert.equal((await core.call('POST', `/resources/${id}/cancel`)).status, 202);
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.steps[0].status], ['CANCELLED', 'CANCELLED']);
    const late = await worker.report(step, { status: 'SUCCESS' });
    assert.deepEqual([late.status, closedReason(late)], [409, 'CANCELLED']);

    const told = await eventually(() => worker.cancellations(id)[0]);
    assert.ok(verifyMessage(secret, told.headers, told.raw));
    assert.deepEqual(told.message, {
      protocol: 'kw.cancel/1',
      resource: { id },
      run: 1,
      step_index: 0,
      attempt: 1,
    });
    assert.equal(
      (await core.call('POST', `/resources/${id}/cancel`)).body.error.code,
      'RESOURCE_NOT_PROCESSING',
    );
  });

  it('is told of its cancellation although its resource was deleted before', async () => {
    worker.handle = () => ({ status: 202 });
    const { answer } = worker;
    worker.answer = () => ({ status: 503 });
    const { id } = await core.upload('once');
    await eventually(() => worker.arrived.find(({ message }) => message.resource.id === id));
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    await eventually(() => worker.cancellations(id)[0]);
    assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
    const tell = async (pluginId: string, resourceId = id): Promise<void> => {
      const input = { resourceId, run: 1, stepIndex: 0, attempt: 1, pluginId };
      await new MockActivityEnvironment().run(createCancelDelivery(core.deps), input);
    };
    await tell('another');
    await tell('notes', uuidv7());
    assert.equal(worker.cancellations(id).length, 1);
    await tell('notes');
    assert.equal(worker.cancellations(id).length, 2);
    worker.answer = answer;
  });

  it('completes a run that was cancelled after its success and whose workflow was then terminated', async () => {
    worker.handle = () => ({ status: 202 });
    const { id, workflow_id } = await core.upload('once');
    const step = await eventually(() => worker.arrived[0]);
    await core.stopWorker();
    assert.equal((await worker.report(step, { status: 'SUCCESS', artifact: text('done') })).status, 200);
    assert.equal((await core.call('POST', `/resources/${id}/cancel`)).status, 202);
    const temporal = await connectTemporal(core.deps.config.temporal);
    await temporal.client.workflow.getHandle(workflow_id).terminate('by hand');
    await temporal.close();
    const { status, steps, artifacts } = await core.settled(id);
    assert.deepEqual([status, steps[0].status, artifacts.length], ['COMPLETED', 'COMPLETED', 1]);
    await core.startWorker();
  });

  it('survives a worker of Core that stops while it waits for the report, and says that one is missing', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('once');
    const step = await eventually(() => worker.arrived[0]);
    await core.stopWorker();
    const report = { status: 'SUCCESS', artifact: text('while it was away') };
    assert.equal((await worker.report(step, report)).status, 200);
    const seen = await eventually(async () => {
      const { waiting_for } = (await core.call('GET', `/resources/${id}`)).body.steps[0];
      return waiting_for?.kind === 'worker' && waiting_for;
    });
    assert.equal(seen.task_queue, 'kw-core');
    await core.startWorker();
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(worker.arrived.length, 1);
  });
});

function failure(code: string, retryable = true): Record<string, unknown> {
  return { status: 'FAILURE', error: { code, message: 'not today', retryable } };
}

function closedReason(answer: { body: Record<string, unknown> }): unknown {
  const error = answer.body['error'] as { code: string; details: { reason: string } };
  assert.equal(error.code, 'ATTEMPT_CLOSED');
  return error.details.reason;
}
