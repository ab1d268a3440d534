import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { PendingActivity } from '../../runtime/temporal/pending-activity.js';
import type { PendingWork } from '../../runtime/temporal/pending-work.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

describe('claims of attempts', () => {
  let api: TestApi;
  /** What Temporal says of the run's activity; null: it does not answer. */
  let pending: readonly Partial<PendingActivity>[] | null = null;

  before(async () => {
    const pendingWork = (): Promise<PendingWork | null> =>
      Promise.resolve(
        pending === null
          ? null
          : {
              activities: pending as readonly PendingActivity[],
              failingTask: null,
              taskWaits: false,
              foreign: null,
            },
      );
    api = await startApi({ workflows: { pendingWork }, env: { KW_PLUGIN_HOSTS: '127.0.0.1' } });
    const activity = { name: 'A', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('PUT', '/plugins/claimed', activity);
    await api.call('PUT', '/plugins/delivered', { name: 'H', kind: 'http', endpoint: 'http://127.0.0.1:1/' });
    for (const plugin_id of ['claimed', 'delivered']) {
      const steps = [{ plugin_id, max_attempts: 10 }];
      await api.call('POST', '/pipelines', { name: plugin_id, trigger_type: plugin_id, steps });
    }
    const steps = [{ plugin_id: 'claimed' }, { plugin_id: 'claimed' }];
    await api.call('POST', '/pipelines', { name: 'Twice', trigger_type: 'twice', steps });
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

  it('keep why Temporal gave up the attempt that they replace', async () => {
    const claim = await begin('claimed');
    const { resource } = (await claim(1)).body;
    const lastFailure = { type: '', message: 'activity Heartbeat timeout' };
    pending = [{ activityType: 'a', attempt: 2, lastFailure }];
    assert.equal((await claim(2)).body.attempt.number, 2);
    const { items } = (await api.call('GET', `/resources/${resource.id}/attempts`)).body;
    const { outcome, error } = items[1];
    assert.deepEqual(
      [outcome, error.code, error.message],
      ['SUPERSEDED', 'HEARTBEAT_TIMED_OUT', lastFailure.message],
    );
    // Temporal knows only the error of the third attempt, which no worker claimed.
    pending = [{ activityType: 'a', attempt: 4, lastFailure }];
    assert.equal((await claim(4)).body.attempt.number, 4);
    const after = (await api.call('GET', `/resources/${resource.id}/attempts`)).body.items;
    assert.deepEqual([after[1].number, after[1].outcome, after[1].error], [2, 'SUPERSEDED', null]);
  });

  it('succeed although the error of the attempt before cannot be recorded', async () => {
    const claim = await begin('claimed');
    await claim(1);
    const unreadable = {
      get lastFailure(): never {
        throw new Error('unreadable');
      },
    };
    pending = [Object.assign(unreadable, { activityType: 'a', attempt: 2 })];
    assert.equal((await claim(2)).body.attempt.number, 2);
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

  it('make the log say why the report of a worker is refused, but not what it contains', async () => {
    const claim = await begin('claimed');
    const { callback, resource } = (await claim(1)).body;
    const { body: other } = await api.upload({ type: 'claimed' });
    const lines: object[] = [];
    const { log, logFields } = api.deps;
    for (const level of ['info', 'warn'] as const)
      mock.method(log, level, (fields: object) => lines.push({ level, ...logFields.current(), ...fields }));
    const send = (report: object | string, id = resource.id, bearer = callback.token): Promise<Answer> =>
      api.call('POST', `/internal/artifacts/${id}`, report, { bearer });
    try {
      const artifact = { type: 'note', content_type: 'note', content: 'private' };
      const json = { ...artifact, content_type: 'json', content: {} };
      const infinite = JSON.stringify({ ...json, content: { private: 0 } }).replace('0', '1e400');
      assert.equal((await send({ status: 'SUCCESS', artifact })).status, 400);
      assert.equal((await send({ status: 'SUCCESS', artifact: { ...json, private: 1 } })).status, 400);
      assert.equal((await send({ status: 'SUCCESS', private: 1 })).status, 400);
      assert.equal((await send(`{"status":"SUCCESS","artifact":${infinite}}`)).status, 400);
      assert.equal((await send('{"private": NaN}')).status, 400);
      assert.equal((await send({ status: 'SUCCESS' }, other.id)).status, 403);
      assert.equal((await send({ status: 'SUCCESS' }, resource.id, 'kwt_unknown')).status, 401);
      assert.equal((await send({ status: 'FAILURE' })).status, 200);
      assert.equal((await send({ status: 'SUCCESS' })).status, 409);
    } finally {
      mock.restoreAll();
    }
    const refused = lines.filter((line) => 'reason' in line) as Record<string, unknown>[];
    const attempt = { resource_id: resource.id, run: 1, step_index: 0, attempt: 1 };
    const invalid = { level: 'warn', ...attempt, code: 'VALIDATION_FAILED', status: 400 };
    assert.deepEqual(
      refused.map(({ request_id: _, ...line }) => line),
      [
        { ...invalid, reason: '/artifact/content_type: must be one of text, json, vector' },
        { ...invalid, reason: '/artifact: has an unknown key' },
        { ...invalid, reason: 'The request has an unknown key' },
        { ...invalid, reason: '/artifact/content: must be within the range of a double' },
        { ...invalid, code: 'MALFORMED_BODY', reason: 'The body is not valid JSON.' },
        { ...invalid, code: 'FORBIDDEN', status: 403, reason: 'This token is bound to another resource.' },
        {
          ...{ level: 'info', ...attempt, code: 'ATTEMPT_CLOSED', status: 409 },
          reason: 'This attempt is closed: SETTLED.',
        },
      ],
    );
  });

  it('and what follows them accept ids in capitals, as other routes do', async () => {
    const { body: resource } = await api.upload({ type: 'twice' }, 'Some text.');
    const capitals = (url: string): string =>
      url.replace(api.base, '/').replace(/[\da-f-]{36}/g, (id) => id.toUpperCase());
    const claim = async (step_index: number): Promise<any> => {
      const body = { resource_id: resource.id.toUpperCase(), run: 1, step_index, attempt: 1 };
      return (await api.call('POST', '/internal/attempts', body)).body;
    };
    await api.advance(resource, { kind: 'BEGIN' });
    const first = await claim(0);
    const { token: bearer, url } = first.callback;
    assert.equal(
      (await api.call('GET', capitals(first.resource.source_url), undefined, { bearer })).text,
      'Some text.',
    );
    const artifact = { type: 'text', content_type: 'text', content: 'Read.' };
    assert.equal(
      (await api.call('POST', capitals(url), { status: 'SUCCESS', artifact }, { bearer })).status,
      200,
    );
    await api.advance(resource, { kind: 'RETURNED', index: 0, result: null });
    const second = await claim(1);
    const [input] = second.inputs;
    const read = await api.call('GET', capitals(input.url), undefined, { bearer: second.callback.token });
    assert.equal(read.text, 'Read.');
  });
});
