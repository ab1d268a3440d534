import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { ActivityCancellationDetails, ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { definePlugin, type PluginContext } from '@knowledge-warehouse/plugin';
import type { Knex } from 'knex';
import { createFetchSource } from '../../activities/fetch-source.js';
import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import type { Instruction, RunEvent } from '../../core/runs/run-protocol.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import type { NewResource } from '../../storage/resources/resources.js';
import { advance } from '../../storage/transitions/advance.js';
import { claimAttempt } from '../../storage/transitions/claim-attempt.js';
import { reportAttempt, type Outcome } from '../../storage/transitions/report-attempt.js';
import { registerResource } from '../../storage/transitions/resource-requests.js';
import { connectTemporal } from '../../runtime/temporal/connection.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';

type Work = (ctx: PluginContext<unknown>) => Promise<void> | void;

describe('a run', () => {
  let core: TestCore;
  let site: RemoteSite;
  const work: Record<'first' | 'second', Work> = { first: () => undefined, second: () => undefined };

  const plugin = (id: 'first' | 'second') =>
    definePlugin({
      id,
      name: id,
      version: '1.0.0',
      configSchema: { type: 'object' },
      produces: ['note', 'extra'],
      run: async (ctx) => await work[id](ctx),
    });
  const emit = (ctx: PluginContext<unknown>, type: string, content: string): Promise<void> =>
    ctx.emit({ type, content_type: 'text', content });

  before(async () => {
    site = await startRemoteSite();
    const plugins = [plugin('first'), plugin('second')];
    core = await startCore({ plugins, env: { KW_URL_ALLOW: site.host } });
    const bounds = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 30 };
    await core.pipeline('pair', { plugin_id: 'first', ...bounds }, { plugin_id: 'second', ...bounds });
    await core.pipeline('once', { plugin_id: 'first', ...bounds }, { plugin_id: 'second', ...bounds });
    await core.pipeline('patient', { plugin_id: 'first', ...bounds, max_attempts: 3 });
  });
  beforeEach(() => {
    work.first = (ctx) => emit(ctx, 'note', `first of run ${ctx.run}`);
    work.second = async (ctx) =>
      await emit(ctx, 'extra', `${await ctx.inputs.text('note')}, second of run ${ctx.run}`);
  });
  after(async () => {
    await core.stop();
    await site.stop();
  });

  const contentOf = async (id: string, type: string): Promise<unknown> => {
    const { body } = await core.call('GET', `/resources/${id}`);
    const artifact = body.artifacts.find((candidate: { type: string }) => candidate.type === type);
    return (await core.call('GET', `/resources/${id}/artifacts/${artifact.id}`)).body.content;
  };

  it('may be repeated: ids stay, content is replaced, old artifacts are removed', async () => {
    work.first = async (ctx) => {
      await emit(ctx, 'note', `first of run ${ctx.run}`);
      if (ctx.run === 1) await emit(ctx, 'extra', 'once');
    };
    const { id } = await core.upload('pair');
    const before = await core.settled(id);
    assert.equal(before.artifacts.length, 3);
    assert.equal((await core.call('POST', `/resources/${id}/reprocess`)).status, 202);
    const after = await core.settled(id);
    assert.equal(after.run, 2);
    const key = (artifact: { step_index: number; type: string; id: string }): string =>
      `${artifact.step_index} ${artifact.type} ${artifact.id}`;
    const kept = before.artifacts.map(key).filter((each: string) => !each.startsWith('0 extra'));
    assert.deepEqual(after.artifacts.map(key), kept);
    assert.equal(await contentOf(id, 'extra'), 'first of run 2, second of run 2');
    await eventually(async () => {
      const keys = [];
      for await (const object of core.deps.objectStore.list(`resources/${id}/artifacts/`))
        keys.push(object.key);
      return keys.length === 2;
    });
    const { body: runs } = await core.call('GET', `/resources/${id}/runs`);
    assert.deepEqual(
      runs.items.map((run: { run: number; status: string }) => [run.run, run.status]),
      [
        [2, 'COMPLETED'],
        [1, 'COMPLETED'],
      ],
    );
  });

  it('may be resumed at the failed step, with the artifacts before it', async () => {
    work.second = (ctx) => ctx.fail('NOT_TODAY', 'come again', { retryable: false });
    const { id } = await core.upload('pair');
    const failed = await core.settled(id);
    assert.deepEqual(failed.error, { code: 'NOT_TODAY', message: 'come again', step: 1 });
    work.first = () => assert.fail('the first step is not to run again');
    work.second = async (ctx) => await emit(ctx, 'extra', `${await ctx.inputs.text('note')}, resumed`);
    assert.equal(
      (await core.call('POST', `/resources/${id}/reprocess`, { from_step: 'failed' })).status,
      202,
    );
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(await contentOf(id, 'extra'), 'first of run 1, resumed');

    for (const from_step of ['failed', 2]) {
      const answer = await core.call('POST', `/resources/${id}/reprocess`, { from_step });
      assert.equal(answer.body.error.code, 'STEP_NOT_RESUMABLE', JSON.stringify(from_step));
    }
  });

  it('keeps the steps it started with when its pipeline is edited or deleted', async () => {
    const release = hold('first');
    const { id } = await core.upload('pair');
    const { body } = await core.call('GET', '/pipelines');
    const [pipeline] = body.items.filter((each: { trigger_type: string }) => each.trigger_type === 'pair');
    assert.equal((await core.call('DELETE', `/pipelines/${pipeline.id}`)).status, 204);
    const { body: inUse } = await core.call('DELETE', '/plugins/second');
    assert.deepEqual([inUse.error.code, inUse.error.details.resources.length], ['PLUGIN_IN_USE', 1]);
    release();
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.no_matching_pipeline], ['COMPLETED', true]);
    assert.equal(
      (await core.call('POST', `/resources/${id}/reprocess`)).body.error.code,
      'NO_MATCHING_PIPELINE',
    );
    await core.pipeline('pair', { plugin_id: 'first' }, { plugin_id: 'second' });
  });

  it('does not wait if its plugin is inactive', async () => {
    await core.call('PUT', '/plugins/second/toggle');
    const { id } = await core.upload('pair');
    const resource = await core.settled(id);
    assert.deepEqual(
      [resource.status, resource.error.code, resource.error.step],
      ['FAILED', 'PLUGIN_INACTIVE', 1],
    );
    await core.call('PUT', '/plugins/second/toggle');
  });

  it('is CANCELLED at once if its start could not be sent', async () => {
    const id = await registerUnsent();
    const { body, status } = await core.call('POST', `/resources/${id}/cancel`);
    assert.deepEqual([status, body.status], [202, 'CANCELLED']);
  });

  it('is started by the sweeper, once, when the process that registered it died', async () => {
    const { deps } = core;
    let runs = 0;
    work.first = () => void (runs += 1);
    work.second = () => undefined;
    const id = uuidv7();
    await deps.db.transaction((trx) => registerResource(trx, newResource(id)));
    await Promise.all([deps.outbox.sweep(), deps.outbox.sweep(), deps.outbox.sweep()]);
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(runs, 1);
  });

  it('is FAILED with a reason when its workflow was terminated', async () => {
    const release = hold('first');
    const temporal = await connectTemporal(core.deps.config.temporal);
    const { id, workflow_id } = await core.upload('pair');
    await eventually(async () => (await core.deps.db('attempts').where({ resource_id: id })).length === 1);
    await temporal.client.workflow.getHandle(workflow_id).terminate('by hand');
    await temporal.close();
    const resource = await core.settled(id);
    release();
    assert.deepEqual(resource.error, {
      code: 'WORKFLOW_TERMINATED',
      message: 'The workflow of this run was terminated.',
      step: 0,
    });
    assert.deepEqual([resource.status, resource.steps[0].status], ['FAILED', 'FAILED']);
  });

  it('is started again if its start was sent and Temporal does not know it, checked twice', async () => {
    const { deps } = core;
    const id = uuidv7();
    await deps.db.transaction(async (trx) => {
      const message = await registerResource(trx, newResource(id));
      await trx('outbox').where({ id: message }).delete();
      await trx('runs').where({ resource_id: id }).update({ checked_at: longAgo() });
    });
    work.first = work.second = () => undefined;
    const dueNow = (): Promise<number> => deps.db('sweeps').update({ due_at: deps.db.fn.now() });
    const missing = await eventually(async () => {
      await dueNow();
      const { missing_since } = await deps.db('runs').where({ resource_id: id }).first();
      return missing_since instanceof Date;
    });
    assert.ok(missing);
    await deps
      .db('runs')
      .where({ resource_id: id })
      .update({ missing_since: longAgo(), checked_at: longAgo() });
    await dueNow();
    assert.equal((await core.settled(id)).status, 'COMPLETED');
  });

  it('waits once more for a worker that fell silent in the last attempt', async () => {
    for (const isAlive of [true, false]) {
      const id = await registerUnsent('once');
      const ref = { resourceId: id, run: 1, stepIndex: 0, attempt: 1 };
      await claim(ref, 0);
      // Its answer is lost once.
      await tell(id, fellSilent(0));
      const waiting = await tell(id, fellSilent(0));
      assert.ok(waiting.do === 'WAIT' && waiting.remainingMs <= 15_000, JSON.stringify(waiting));
      if (isAlive) {
        // A sweep would send the signal.
        await core.stopSweeps();
        await settle(ref, { kind: 'SUCCESS', artifacts: [] });
        // The run is told, and only then goes on.
        const { signal_due_at } = await core.deps.db('attempts').where({ resource_id: id }).first();
        const { body } = await core.call('GET', `/resources/${id}`);
        core.startSweeps();
        assert.deepEqual([signal_due_at instanceof Date, body.steps[1].status], [true, 'PENDING']);
      }
      const next = await eventually(async () => {
        // A deadline that is noticed more than five seconds late is extended.
        if (!isAlive)
          await core.deps.db.raw('update attempts set deadline = now() where resource_id = ?', id);
        const told = await tell(id, { kind: 'DEADLINE', index: 0, attempt: 1 });
        return told.do !== 'WAIT' && told;
      });
      const { body } = await core.call('GET', `/resources/${id}`);
      const { items } = (await core.call('GET', `/resources/${id}/attempts`)).body;
      assert.deepEqual(
        [next.do, body.steps[0].status, body.error?.code, items.at(-1).outcome, items.at(-1).error?.code],
        isAlive
          ? ['RUN', 'COMPLETED', undefined, 'SUCCESS', undefined]
          : ['END', 'FAILED', 'HEARTBEAT_TIMED_OUT', 'TIMED_OUT', 'HEARTBEAT_TIMED_OUT'],
      );
    }
  });

  it('counts no attempt that was lost before it began', async () => {
    const id = await registerUnsent('patient');
    const left = (next: Instruction): unknown => next.do === 'RUN' && [next.attemptBase, next.attemptsLeft];
    assert.deepEqual(left(await tell(id, fellSilent(0))), [3, 3]);

    const ref = { resourceId: id, run: 1, stepIndex: 0, attempt: 6 };
    await claim(ref, 3);
    const error = { code: 'AWAY', message: 'away', details: {} };
    await settle(ref, { kind: 'FAILURE', error, retryable: true, retryAfterSeconds: null, timedOut: false });
    const failure = { ...error, attempt: 6, retryable: true, exhausted: true, cause: 'ERROR' as const };
    const failed = { kind: 'FAILED', index: 0, attemptBase: 3, failure } as const;
    for (const answer of ['lost', 'repeated'])
      assert.deepEqual(left(await tell(id, failed)), [6, 2], `The answer is ${answer}.`);

    const late = await registerUnsent('patient');
    await claim({ ...ref, resourceId: late, attempt: 3 }, 0);
    const timedOut = { ...failure, attempt: null, code: 'STEP_TIMED_OUT', cause: 'TIMED_OUT' as const };
    assert.deepEqual(left(await tell(late, { ...failed, attemptBase: 0, failure: timedOut })), [3, 2]);

    const restarted = await registerUnsent('patient');
    await claim({ ...ref, resourceId: restarted, attempt: 2 }, 0);
    for (const answer of ['lost', 'repeated'])
      assert.deepEqual(left(await tell(restarted, { kind: 'BEGIN' })), [2, 2], `The answer is ${answer}.`);
  });

  it('begins if its source arrived although the fetch was given up', async () => {
    const id = await registerUnsent();
    const details = { details: {}, attempt: null, retryable: true, exhausted: true };
    const failure = { ...details, code: 'URL_FETCH_FAILED', message: 'too late', cause: 'ERROR' as const };
    assert.equal((await tell(id, { kind: 'FETCH_FAILED', failure })).do, 'RUN');
  });

  it('counts no fetch that was lost with its worker, and at most three others', async () => {
    const temporal = await connectTemporal(core.deps.config.temporal);
    const arrived = new Map<string | undefined, ServerResponse[]>();
    const responsesTo = (path: string | undefined): ServerResponse[] => arrived.get(path) ?? [];
    site.handle = ({ url }, response) => {
      arrived.set(url, [...responsesTo(url), response]);
      const count = responsesTo(url).length;
      if (count === 3 || (count > 3 && url === '/gone')) response.writeHead(502).end();
      else if (count > 3) response.writeHead(200, { 'content-type': 'text/plain' }).end('page');
    };
    const fetchAfterLoss = async (path: string): Promise<unknown[]> => {
      const source = { kind: 'URL', url: `${site.url}${path}` };
      const { body } = await core.call('POST', '/resources', { name: 'page', type: 'patient', source });
      const { workflow_id: workflowId } = body;
      const gone = ApplicationFailure.create({ message: 'gone', nextRetryDelay: 1 });
      for (const lost of [1, 2]) {
        await eventually(() => responsesTo(path).length === lost);
        const { raw } = await temporal.client.workflow.getHandle(workflowId).describe();
        const activityId = raw.pendingActivities?.[0]?.activityId ?? '';
        await temporal.client.activity.fail({ workflowId, activityId }, gone);
        // What its worker observes does not count any more.
        responsesTo(path).at(-1)!.writeHead(502).end();
      }
      const { status, error } = await core.settled(body.id);
      return [status, error?.code, responsesTo(path).length];
    };
    const ended = await Promise.all(['/page', '/gone'].map(fetchAfterLoss));
    assert.deepEqual(ended, [
      ['COMPLETED', undefined, 4],
      ['FAILED', 'URL_FETCH_FAILED', 5],
    ]);
    await temporal.close();
  });

  it('keeps the number of failed fetches when the store is away or the worker shuts down', async () => {
    site.handle = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('page');
    const resourceId = await registerUnsent('pair', { source_type: 'URL', source_uri: site.url });
    const put: ObjectStore['put'] = (_key, content) => {
      if ('destroy' in content) content.destroy();
      return Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'away'));
    };
    const fetchSource = createFetchSource({ ...core.deps, objectStore: { ...core.deps.objectStore, put } });
    const logger = new DefaultLogger('ERROR');
    for (const [isStopping, type] of [
      [false, 'STORAGE_UNAVAILABLE'],
      [true, 'KW_INTERRUPTED'],
    ] as const) {
      const environment = new MockActivityEnvironment({ heartbeatDetails: 2 }, { logger });
      const stop = new ActivityCancellationDetails({ workerShutdown: true });
      if (isStopping) environment.cancel('WORKER_SHUTDOWN', stop);
      const failure: unknown = await environment
        .run(fetchSource, { resourceId, run: 1 })
        .catch((error: unknown) => error);
      assert.ok(failure instanceof ApplicationFailure, String(failure));
      const [details] = (failure.details ?? []) as { failedTries?: number }[];
      assert.deepEqual([failure.type, details?.failedTries], [type, 2]);
    }
  });

  it('lists why an attempt was replaced before it had an outcome', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    let reason: { code?: string } | undefined;
    const readReason = async (id: string): Promise<typeof reason> => {
      const { items } = (await core.call('GET', `/resources/${id}/attempts`)).body;
      return items.find(({ outcome }: { outcome: string }) => outcome === 'SUPERSEDED')?.error ?? undefined;
    };
    work.first = async (ctx) => {
      // Runs of other tests may begin now.
      if (ctx.resource.name === 'left behind') return;
      calls += 1;
      if (calls === 1) await held;
      else reason = await eventually(() => readReason(ctx.resource.id));
    };
    const { workflows } = core.deps;
    const pendingWork = workflows.pendingWork.bind(workflows);
    // The plugin does not wait for the reason.
    workflows.pendingWork = async (...args) => {
      await eventually(() => calls > 1);
      const work = await pendingWork(...args);
      if (work === null) return null;
      const others = work.activities.flatMap((activity) => {
        const other = { ...activity, lastFailure: { type: 'OTHER', message: 'other' } };
        return [
          { ...other, activityId: 'of another step' },
          { ...other, attempt: activity.attempt + 1 },
        ];
      });
      return { ...work, activities: [...others, ...work.activities] };
    };
    const plugin = core.deps.db('plugins').where({ id: 'first' });
    // Shorter than the pause between heartbeats.
    await plugin.clone().update({ heartbeat_seconds: 0.5 });
    const { id } = await core.upload('patient');
    const { status } = await core.settled(id);
    workflows.pendingWork = pendingWork;
    await plugin.update({ heartbeat_seconds: 10 });
    release();
    assert.deepEqual([status, reason?.code], ['COMPLETED', 'HEARTBEAT_TIMED_OUT']);
  });

  it('can be requested for many resources at once', async () => {
    const { body: list } = await core.call('GET', '/resources?type=pair&status=COMPLETED&limit=200');
    const { status, body } = await core.call('POST', '/resources/reprocess', {
      type: 'pair',
      status: 'COMPLETED',
    });
    assert.deepEqual([status, body.count], [202, list.items.length]);
    const operation = await core.call('GET', `/operations/${body.operation_id}`);
    assert.equal(operation.body.matched, list.items.length);
    await eventually(async () => {
      const runs = await Promise.all(
        list.items.map(
          async ({ id, run }: { id: string; run: number }) => (await core.settled(id)).run === run + 1,
        ),
      );
      return runs.every(Boolean);
    });
  });

  it('leaves nothing in the object store after its resource is deleted', async () => {
    const { id } = await core.upload('pair');
    await core.settled(id);
    assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
    assert.equal((await core.call('GET', `/resources/${id}`)).status, 404);
    await eventually(async () => {
      for await (const _ of core.deps.objectStore.list(`resources/${id}/`)) return false;
      return true;
    });
  });

  /** A resource without bytes: what registers it here is not the API. */
  const newResource = (id = uuidv7(), type = 'pair'): NewResource => ({
    id,
    name: 'left behind',
    type,
    source_type: 'UPLOAD',
    source_uri: null,
    object_key: null,
    size_bytes: null,
    sha256: null,
    media_type: null,
    metadata: {},
  });

  /** Registered by a process that died right after its commit, with the sweepers away. */
  const registerUnsent = async (type = 'pair', source: Partial<NewResource> = {}): Promise<string> => {
    const id = uuidv7();
    await core.deps.db.transaction(async (trx) => {
      const message = await registerResource(trx, { ...newResource(id, type), ...source });
      // Messages that are due later than any pause would make them are sent at once.
      const later = trx.raw("now() + interval '1 minute'");
      assert.equal(await trx('outbox').where({ id: message }).update({ due_at: later }), 1);
    });
    return id;
  };

  const claim = (ref: AttemptRef, attemptBase: number): Promise<unknown> =>
    claimAttempt(core.deps.db, ref, { plugins: null, scheduled: { attemptBase, activityType: 'first' } });
  const settle = (ref: AttemptRef, outcome: Outcome): Promise<unknown> =>
    reportAttempt(core.deps.db, ref, outcome, { settledBy: 'CORE', awaited: true, coreUrl: core.base });
  /** Tells the tables what a workflow observed. */
  const tell = async (id: string, event: RunEvent): Promise<Instruction> =>
    (await advance(core.deps.db, { resourceId: id, run: 1 }, event, { coreUrl: core.base })).instruction;
  /** Temporal has given up the first step, because an attempt sent no heartbeat. */
  const fellSilent = (attemptBase: number): RunEvent => {
    const told = { details: {}, attempt: null, retryable: true, exhausted: true };
    const failure = { ...told, code: 'HEARTBEAT_TIMED_OUT', message: 'silent', cause: 'TIMED_OUT' as const };
    return { kind: 'FAILED', index: 0, attemptBase, failure };
  };

  const longAgo = (): Knex.Raw => core.deps.db.raw("now() - interval '2 minutes'");

  /** Makes a plugin wait until the returned function is called. */
  function hold(id: 'first' | 'second'): () => void {
    const then = work[id];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    work[id] = async (ctx) => {
      await held;
      await then(ctx);
    };
    return release;
  }
});
