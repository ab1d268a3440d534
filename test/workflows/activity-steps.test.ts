import assert from 'node:assert/strict';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityMessage, StepMessage } from '@knowledge-warehouse/plugin/protocol';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';

/** The activity of a plugin author who uses nothing but @temporalio/worker; each test says what it does. */
type Work = (message: ActivityMessage) => Promise<unknown>;

describe('a step of an activity plugin', () => {
  let core: TestCore;
  let work: Work;
  let stopWorker: () => Promise<void>;
  const seen: ActivityMessage[] = [];

  before(async () => {
    core = await startCore({ plugins: [] });
    for (const [id, task_queue] of [
      ['worker', 'authors-queue'],
      ['absent', 'nobody-listens'],
    ]) {
      const plugin = { id, name: id, kind: 'activity', task_queue, activity_type: 'work' };
      assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    }
    const bounds = { max_attempts: 3, backoff_seconds: 0.1, timeout_seconds: 20 };
    await core.pipeline('one', { plugin_id: 'worker', ...bounds });
    await core.pipeline('two', { plugin_id: 'worker', ...bounds }, { plugin_id: 'worker', ...bounds });
    await core.pipeline('hasty', {
      plugin_id: 'worker',
      max_attempts: 1,
      backoff_seconds: 0,
      timeout_seconds: 1,
    });
    await core.pipeline('patient', { plugin_id: 'worker', ...bounds, backoff_seconds: 600 });
    await core.pipeline('waiting', { plugin_id: 'absent', ...bounds });
    stopWorker = await startAuthorsWorker(core, 'authors-queue', {
      work: async (message: ActivityMessage) => {
        seen.push(message);
        return await work(message);
      },
    });
  });
  beforeEach(() => {
    seen.length = 0;
  });
  after(async () => {
    await stopWorker();
    await core.stop();
  });

  const claim = async (
    message: ActivityMessage,
    bearer?: string,
  ): Promise<StepMessage & { settled?: true }> => {
    const attempt = message.attempt_base + Context.current().info.attempt;
    const { resource_id, run, step_index } = message;
    return (await core.call('POST', '/internal/attempts', { resource_id, run, step_index, attempt }, bearer))
      .body;
  };
  const report = async (step: StepMessage, body: unknown): Promise<number> => {
    const path = `/internal/artifacts/${step.resource.id}`;
    return (await core.call('POST', path, body, step.callback.token)).status;
  };

  /** As though the time were over, a few seconds, that a run has to notice a report by itself. */
  const letRunBeTold = async (id: string): Promise<void> => {
    const { db } = core.deps;
    const waiting = db('attempts').where({ resource_id: id }).whereNotNull('signal_due_at');
    const { settled_at, signal_due_at } = await eventually(() => waiting.clone().first());
    assert.ok(signal_due_at.getTime() - settled_at.getTime() < 10_000, String(signal_due_at));
    await waiting.update({ signal_due_at: db.fn.now() });
  };

  it('gets one argument and may return its artifacts', async () => {
    work = () =>
      Promise.resolve({
        artifact: null,
        artifacts: [{ type: 'words', content_type: 'json', content: { count: 2 }, metadata: { a: 1 } }],
      });
    const { id } = await core.upload('one');
    const resource = await core.settled(id);
    assert.equal(resource.status, 'COMPLETED');
    assert.deepEqual(seen, [
      {
        protocol: 'kw.activity/1',
        core_url: core.base,
        resource_id: id,
        run: 1,
        step_index: 0,
        plugin_id: 'worker',
        attempt_base: 0,
      },
    ]);
    const [artifact] = resource.artifacts;
    assert.deepEqual([artifact.type, artifact.content_type, artifact.metadata], ['words', 'json', { a: 1 }]);
    assert.deepEqual((await core.call('GET', `/resources/${id}/artifacts/${artifact.id}`)).body.content, {
      count: 2,
    });
  });

  it('is retried by Temporal after it throws', async () => {
    work = () => {
      if (Context.current().info.attempt < 3) throw new Error('not yet');
      return Promise.resolve(undefined);
    };
    const { id } = await core.upload('one');
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(seen.length, 3);
  });

  const nested = (levels: number): object => ({
    type: 'tree',
    content_type: 'json',
    content: JSON.parse(`${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`) as object,
  });
  const failures: readonly (readonly [string, () => unknown, number, string, RegExp?])[] = [
    ['a plain error', () => raise(new Error('broken')), 3, 'STEP_FAILED'],
    ['a code', () => raise(ApplicationFailure.retryable('full', 'QUOTA')), 3, 'QUOTA'],
    ['a final code', () => raise(ApplicationFailure.nonRetryable('bad', 'BAD_INPUT')), 1, 'BAD_INPUT'],
    [
      'a result that is none',
      () => ({ artifacts: [{ ...note('one'), type: '!' }] }),
      1,
      'INVALID_RESULT',
      /^The result is not valid: \/artifacts\/0\/type: must match pattern .*\.$/,
    ],
    [
      'a result with two artifacts of one type',
      () => ({ artifacts: [note('one'), note('two')] }),
      1,
      'INVALID_RESULT',
      /^The result is not valid: \/artifacts\/1\/type: note occurs twice\.$/,
    ],
    [
      'a result with a long unknown name',
      () => ({ artifacts: [{ ...note('one'), ['x'.repeat(10_000)]: 1 }] }),
      1,
      'INVALID_RESULT',
      /^The result is not valid: \/artifacts\/0\/x{100,500}: is unknown\.$/,
    ],
    [
      'a failure report as its result',
      () => ({ status: 'FAILURE', error: { code: 'NO', message: 'no' } }),
      1,
      'INVALID_RESULT',
    ],
    [
      'a report of one artifact as its result',
      () => ({ status: 'SUCCESS', artifact: note('one') }),
      1,
      'INVALID_RESULT',
    ],
    ['a result that is nested too deeply', () => ({ artifacts: [nested(65)] }), 1, 'INVALID_RESULT'],
    ['raw bytes as its result', () => Buffer.from('bytes'), 1, 'INVALID_RESULT'],
    ['a result that is too large', () => ({ artifacts: [note('x'.repeat(300_000))] }), 1, 'INVALID_RESULT'],
    [
      'a result that is too large for Temporal',
      () => ({ artifacts: [note('x'.repeat(3 * 1024 * 1024))] }),
      1,
      'INVALID_RESULT',
      /at most 262144 bytes are allowed/,
    ],
  ];
  for (const [name, fail, attempts, code, message = /./] of failures) {
    it(`fails with ${name}`, async () => {
      work = () => Promise.resolve(fail());
      const { id } = await core.upload('one');
      const resource = await core.settled(id);
      assert.deepEqual(
        [resource.status, resource.error.code, resource.error.step, seen.length],
        ['FAILED', code, 0, attempts],
      );
      assert.match(resource.error.message, message);
    });
  }

  it('is scheduled again after an interruption, whatever number that names', async () => {
    for (const attempt of [-1, 1.5, 99, 2 ** 31 - 1, 2 ** 31, 1e308, 'x', undefined]) {
      seen.length = 0;
      work = () =>
        seen.length > 1
          ? Promise.resolve(undefined)
          : Promise.reject(ApplicationFailure.nonRetryable('stopping', 'KW_INTERRUPTED', { attempt }));
      const { status, steps } = await core.settled((await core.upload('one')).id);
      const said = [status, seen.length, steps[0].max_attempts];
      assert.deepEqual(said, ['COMPLETED', 2, 4], String(attempt));
      // On a busy machine, Temporal may lose a task on its way to the worker, which uses up a number.
      assert.ok([2, 3].includes(steps[0].attempt), `${attempt}: ${steps[0].attempt}`);
    }
  });

  for (const type of ['KW_INTERRUPTED', 'ActivityReset', 'ActivityPause'])
    it(`fails if it reports interruptions without end: ${type}`, async () => {
      const nonRetryable = type === 'KW_INTERRUPTED';
      work = () => Promise.reject(ApplicationFailure.create({ type, nonRetryable, message: 'again' }));
      const { error, steps } = await core.settled((await core.upload('hasty')).id);
      assert.deepEqual([error.code, steps[0].attempt, seen.length], ['STEP_FAILED', 11, 11]);
      assert.match(error.message, /attempt: again\. The attempt counts toward the maximum/);
    });

  it('lists what failed although it was not claimed', async () => {
    work = () => Promise.reject(ApplicationFailure.nonRetryable('bad', 'BAD_INPUT'));
    const { id } = await core.settled((await core.upload('one')).id);
    const { items } = (await core.call('GET', `/resources/${id}/attempts`)).body;
    assert.deepEqual(
      items.map((item: any) => [item.number, item.started_at, item.outcome, item.error.code, item.retry_at]),
      [[1, null, 'FAILURE', 'BAD_INPUT', null]],
    );
  });

  it('ends if only its first attempt is claimed', async () => {
    work = async (message) => {
      if (seen.length > 1) throw new Error('not claimed');
      await report(await claim(message), { status: 'FAILURE', error: { code: 'ONCE', message: 'once' } });
    };
    const { error } = await core.settled((await core.upload('one')).id);
    assert.deepEqual([error.message, seen.length], ['not claimed', 3]);
  });

  it('fails with its code, but without details that no report would be accepted with', async () => {
    const details = { trace: 'x'.repeat(70_000) };
    work = () => Promise.resolve(raise(ApplicationFailure.nonRetryable('bad', 'BAD_INPUT', details)));
    const { steps } = await core.settled((await core.upload('one')).id);
    const kept = { left_out: 'details of more than 65536 bytes' };
    assert.deepEqual(steps[0].error, { code: 'BAD_INPUT', message: 'bad', details: kept });
  });

  it('may return content that it sent ahead, and no other', async () => {
    const send = async (step: StepMessage, content: string): Promise<string> => {
      const { url, token } = step.callback;
      const response = await fetch(`${url}/uploads?type=long&content_type=text`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body: content,
      });
      return ((await response.json()) as { upload_id: string }).upload_id;
    };
    let foreign = '';
    work = async (message) => {
      foreign = await send(await claim(message), 'l'.repeat(400_000));
      return { artifacts: [{ type: 'long', content_type: 'text', upload_id: foreign }, note('short')] };
    };
    const { id } = await core.upload('one');
    const resource = await core.settled(id);
    assert.deepEqual(
      resource.artifacts.map((each: { type: string; size_bytes: number }) => [each.type, each.size_bytes]),
      [
        ['long', 400_000],
        ['note', 5],
      ],
    );
    for (const [upload_id, message] of [
      [foreign, '/artifacts/0/upload_id: '],
      [`urn:uuid:${foreign}`, 'The result is not valid:'],
    ] as const) {
      work = async (message) => {
        await claim(message);
        return { artifacts: [{ type: 'long', content_type: 'text', upload_id }] };
      };
      const { error } = await core.settled((await core.upload('one')).id);
      assert.deepEqual([error.code, error.message.slice(0, 24)], ['INVALID_RESULT', message]);
    }
  });

  it('times out', async () => {
    work = () => new Promise((resolve) => setTimeout(resolve, 3_000));
    const { id } = await core.upload('hasty');
    assert.equal((await core.settled(id)).error.code, 'STEP_TIMED_OUT');
  });

  it('may claim its attempt, read its inputs and report through the callback', async () => {
    work = async (message) => {
      const step = await claim(message);
      const [input] = step.inputs;
      const text =
        input &&
        (
          await core.call(
            'GET',
            new URL(input.url).pathname.slice('/api/v1'.length),
            undefined,
            step.callback.token,
          )
        ).body;
      assert.equal(
        await report(step, { status: 'SUCCESS', artifact: note(`${text ?? 'start'} ${step.step_index}`) }),
        200,
      );
      // What it returns does not count any more.
      return { artifacts: [note('ignored')] };
    };
    const { id } = await core.upload('two');
    const resource = await core.settled(id);
    assert.equal(resource.status, 'COMPLETED');
    const contents = [];
    for (const { id: artifact } of resource.artifacts) {
      contents.push((await core.call('GET', `/resources/${id}/artifacts/${artifact}`)).body.content);
    }
    assert.deepEqual(contents, ['start 0', 'start 0 1']);
  });

  it('is rescheduled with the remaining attempts after a failure by callback', async () => {
    work = async (message) => {
      const step = await claim(message);
      await report(step, { status: 'FAILURE', error: { code: `NO_${step.attempt.number}`, message: 'no' } });
    };
    const { id } = await core.upload('one');
    const resource = await core.settled(id);
    assert.deepEqual([resource.error.code, resource.steps[0].attempt], ['NO_3', 3]);
    assert.deepEqual(
      seen.map((message) => message.attempt_base),
      [0, 1, 2],
    );
  });

  it('pauses once after a failure by callback, although the run notices it during the pause', async () => {
    work = async (message) => {
      await report(await claim(message), { status: 'FAILURE', error: { code: 'NO', message: 'no' } });
      throw new Error('no');
    };
    const { id } = await core.upload('patient');
    const { db } = core.deps;
    const row = async (): Promise<any> => await db('steps').where({ resource_id: id }).first();
    const shown = async (): Promise<any> => (await core.call('GET', `/resources/${id}`)).body.steps[0];
    // Temporal makes the pause, so the run need not notice the failure before.
    const { attempt, waiting_for } = await eventually(async () => {
      const step = await shown();
      return step.waiting_for?.message.includes('The last attempt failed') && step;
    });
    const { retry_at: until } = await row();
    const [{ signal_due_at: due }] = await db('attempts').where({ resource_id: id });

    await db('attempts').where({ resource_id: id }).update({ signal_due_at: db.fn.now() });
    await eventually(async () => (await row()).attempt_base === 1);
    const after = await eventually(async () => {
      const step = await shown();
      return step.waiting_for?.message.startsWith('Attempt 1 failed with NO;') && step;
    });
    const { retry_at: untilAfter } = await row();
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    assert.deepEqual([untilAfter, after.waiting_for.until], [until, until.toISOString()]);
    assert.ok(due > until, `${due} is not after ${until}`);
    assert.ok(Math.abs(Date.parse(waiting_for.until) - until.getTime()) < 10_000);
    assert.deepEqual([attempt, after.attempt, seen.length], [1, 1, 1]);
  });

  it('makes a longer pause that only the callback requests', async () => {
    work = async (message) => {
      const error = { code: 'BUSY', message: 'busy', retry_after_seconds: 1200 };
      await report(await claim(message), { status: 'FAILURE', error });
      throw new Error('busy');
    };
    const { id } = await core.upload('patient');
    await letRunBeTold(id);
    const step = await eventually(async () => {
      const [row] = await core.deps.db('steps').where({ resource_id: id });
      return row.attempt_base === 1 && row;
    });
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    assert.equal(seen.length, 1);
    assert.ok(step.retry_at.getTime() - Date.now() > 1_000_000, step.retry_at);
  });

  it('is told that a success was already reported when the attempt is repeated', async () => {
    const answers: unknown[] = [];
    work = async (message) => {
      const step = await claim(message);
      answers.push(step.settled ?? false);
      if (step.settled) return;
      await report(step, { status: 'SUCCESS', artifact: note('kept') });
      throw new Error('after the report');
    };
    const { id } = await core.upload('one');
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length, answers], ['COMPLETED', 1, [false, true]]);
  });

  it('continues after a report whose activity never ends', async () => {
    work = async (message) => {
      await report(await claim(message), { status: 'SUCCESS' });
      await Context.current().cancelled;
    };
    const { id } = await core.upload('one');
    await letRunBeTold(id);
    assert.equal((await core.settled(id)).status, 'COMPLETED');
  });

  it('can be claimed only with the key of its own plugin', async () => {
    const { createApiKey } = await import('../../storage/auth/api-keys.js');
    const key = async (scope: string): Promise<string> =>
      (await createApiKey(core.deps.db, { name: scope, scopes: [scope] })).key;
    const [own, other, write] = [await key('plugin:worker'), await key('plugin:absent'), await key('write')];
    const codes: unknown[] = [];
    work = async (message) => {
      const attempt = { resource_id: message.resource_id, run: message.run, step_index: 0, attempt: 1 };
      for (const bearer of [other, write, 'kw_nothing', own]) {
        const { status, body } = await core.call('POST', '/internal/attempts', attempt, bearer);
        codes.push(status === 200 ? body.protocol : body.error.code);
      }
      const unknown = { ...attempt, resource_id: '01a1fbf8-5123-7763-82ff-e4716eb5a845' };
      codes.push((await core.call('POST', '/internal/attempts', unknown, own)).body.error.code);
    };
    const { id } = await core.upload('one');
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.deepEqual(codes, ['FORBIDDEN', 'FORBIDDEN', 'UNAUTHENTICATED', 'kw.step/1', 'NOT_FOUND']);
  });

  it('waits for a worker, reports it, and can be cancelled', async () => {
    const { id } = await core.upload('waiting');
    const waiting = await eventually(async () => {
      const { body } = await core.call('GET', `/resources/${id}`);
      const found = body.steps[0]?.waiting_for;
      return found?.message.includes('No worker') ? found : undefined;
    });
    assert.deepEqual([waiting.kind, waiting.task_queue], ['worker', 'nobody-listens']);
    assert.equal((await core.call('GET', '/plugins/absent')).body.pollers, 0);
    assert.equal((await core.call('GET', '/plugins/worker')).body.pollers, 1);
    assert.equal((await core.call('DELETE', `/resources/${id}`)).body.error.code, 'RESOURCE_PROCESSING');
    await core.call('POST', `/resources/${id}/cancel`);
    assert.equal((await core.settled(id)).status, 'CANCELLED');
    assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
  });
});

function note(content: string): Record<string, unknown> {
  return { type: 'note', content_type: 'text', content };
}

function raise(error: Error): never {
  throw error;
}
