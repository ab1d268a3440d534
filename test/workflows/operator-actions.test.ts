import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { runWorkflowId } from '../../core/ids.js';
import { definePlugin } from '@knowledge-warehouse/plugin';
import type { ActivityMessage, StepMessage } from '@knowledge-warehouse/plugin/protocol';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';

describe('what an operator does to the activity of a step in Temporal', () => {
  let core: TestCore;
  let connection: Connection;
  let client: Client;
  /** What an attempt does, of the built-in plugin and of the one with a worker of its own. */
  let run: (attempt: number, signal: AbortSignal) => Promise<void>;
  let stopBeside: () => Promise<void>;

  before(async () => {
    const plugin = definePlugin({
      id: 'inside',
      name: 'Inside',
      version: '1',
      produces: ['note'],
      configSchema: { type: 'object' },
      async run(ctx) {
        await run(ctx.attempt.number, ctx.signal);
        await ctx.emit({ type: 'note', content_type: 'text', content: 'done' });
      },
    });
    core = await startCore({ plugins: [plugin] });
    const { address, namespace } = core.deps.config.temporal;
    connection = await Connection.connect({ address });
    client = new Client({ connection, namespace });
    const near = { id: 'near', name: 'Near', kind: 'activity', task_queue: 'paused', activity_type: 'work' };
    assert.equal((await core.call('POST', '/plugins', near)).status, 201);
    const beside = { ...near, id: 'beside', name: 'Beside', task_queue: 'beside' };
    assert.equal((await core.call('POST', '/plugins', beside)).status, 201);
    for (const plugin_id of ['near', 'inside', 'beside'])
      await core.pipeline(plugin_id, { plugin_id, max_attempts: 3, backoff_seconds: 0, timeout_seconds: 60 });
    // Without this limit, a heartbeat that would tell of a pause is held back.
    const options = { maxHeartbeatThrottleInterval: 100 };
    stopBeside = await startAuthorsWorker(core, 'beside', { work: workBeside }, options);
  });
  after(async () => {
    await stopBeside();
    await connection.close();
    await core.stop();
  });

  const handleOf = (id: string): WorkflowHandle => client.workflow.getHandle(runWorkflowId(id, 1));
  const step = async (id: string): Promise<any> => (await core.call('GET', `/resources/${id}`)).body.steps[0];
  const act = async (
    what: 'pauseActivity' | 'unpauseActivity' | 'resetActivity',
    id: string,
    type: string,
  ): Promise<void> => {
    const { workflowService: service } = connection;
    const { namespace } = core.deps.config.temporal;
    const request = { namespace, execution: { workflowId: runWorkflowId(id, 1) }, type };
    if (what === 'pauseActivity') await service.pauseActivity(request);
    else if (what === 'unpauseActivity') await service.unpauseActivity(request);
    else await service.resetActivity(request);
  };

  /** Claims each attempt as the plugin package does. A refused claim fails the step. */
  const workBeside = async (message: ActivityMessage): Promise<unknown> => {
    const context = Context.current();
    const { resource_id, run: ofRun, step_index, attempt_base } = message;
    const attempt = attempt_base + context.info.attempt;
    const ref = { resource_id, run: ofRun, step_index, attempt };
    const { status, body } = await core.call('POST', '/internal/attempts', ref);
    if (status !== 200) throw ApplicationFailure.nonRetryable(body.error.message, body.error.code);
    const beating = setInterval(() => context.heartbeat(), 100);
    try {
      await run(attempt, context.cancellationSignal);
    } finally {
      clearInterval(beating);
    }
    return { artifacts: [{ type: 'note', content_type: 'text', content: 'done' }] };
  };

  it('shows in waiting_for while it is paused', async () => {
    const { id } = await core.upload('near');
    await eventually(async () => ((await handleOf(id).describe()).raw.pendingActivities ?? []).length > 0);
    await act('pauseActivity', id, 'work');
    const { waiting_for, error } = await eventually(async () => {
      const seen = await step(id);
      return seen.waiting_for?.kind === 'paused' && seen;
    });
    assert.match(waiting_for.message, /paused/);
    assert.equal(error, null);
    const stop = await startAuthorsWorker(core, 'paused', { work: () => undefined });
    await act('unpauseActivity', id, 'work');
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    await stop();
  });

  for (const [plugin, type, what, attempts] of [
    ['inside', 'inside', 'resetActivity', 1],
    ['inside', 'inside', 'resetActivity', 2],
    ['inside', 'inside', 'pauseActivity', 1],
    ['inside', 'inside', 'pauseActivity', 3],
    ['beside', 'work', 'pauseActivity', 3],
  ] as const) {
    it(`is not an error of the plugin, and loses no artifact: ${what} in attempt ${attempts} of ${plugin}`, async () => {
      let isBusy = false;
      let interrupted = 0;
      run = async (attempt, signal) => {
        if (attempt < attempts) throw new Error('not yet');
        if (interrupted > 0) return;
        isBusy = true;
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            interrupted += 1;
            reject(signal.reason as Error);
          });
        });
      };
      const { id } = await core.upload(plugin);
      await eventually(() => isBusy);
      await act(what, id, type);
      await eventually(() => interrupted > 0);
      if (what === 'pauseActivity') {
        const pending = async () => (await handleOf(id).describe()).raw.pendingActivities?.[0];
        const isOver = async () =>
          (await pending())?.paused !== true || (await step(id)).waiting_for?.kind === 'paused';
        await eventually(isOver);
        assert.notEqual((await step(id)).error?.code, 'ActivityPause');
        if ((await pending())?.paused) await act('unpauseActivity', id, type);
      }
      const { status, steps, artifacts } = await core.settled(id);
      assert.equal(status, 'COMPLETED', JSON.stringify(steps));
      assert.equal(steps[0].error, null);
      assert.deepEqual(
        artifacts.map(({ type }: { type: string }) => type),
        ['note'],
      );
    });
  }

  describe('in the pause after the second attempt', () => {
    const artifact = { type: 'note', content_type: 'text', content: 'done' };
    const kinds = ['inside', 'own', 'http'];
    let http: HttpWorker;
    let stop: () => Promise<void>;

    /** Claims each attempt. Throws in the first two, and reports the success of others. */
    const work = async ({ resource_id, run, step_index, attempt_base }: ActivityMessage): Promise<void> => {
      const attempt = attempt_base + Context.current().info.attempt;
      const ref = { resource_id, run, step_index, attempt };
      const { body } = await core.call('POST', '/internal/attempts', ref);
      if (body.settled === true) return;
      const { callback, attempt: claimed } = body as StepMessage;
      if (claimed.number < 3) throw new Error('not yet');
      const report = { status: 'SUCCESS', artifacts: [artifact] };
      await core.call('POST', `/internal/artifacts/${resource_id}`, report, callback.token);
    };

    before(async () => {
      http = await startHttpWorker();
      http.handle = ({ message }) =>
        message.attempt.number < 3
          ? { status: 500 }
          : { status: 200, body: { status: 'SUCCESS', artifacts: [artifact] } };
      stop = await startAuthorsWorker(core, 'own', { work });
      const own = { id: 'own', name: 'Own', kind: 'activity', task_queue: 'own', activity_type: 'work' };
      const posted = { id: 'http', name: 'HTTP', kind: 'http', endpoint: http.endpoint };
      for (const plugin of [own, posted])
        assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
      for (const plugin_id of kinds)
        await core.pipeline(`again ${plugin_id}`, {
          plugin_id,
          max_attempts: 9,
          backoff_seconds: 4,
          timeout_seconds: plugin_id === 'inside' ? 1 : 3_600,
        });
    });
    after(async () => {
      await stop();
      await http.stop();
    });

    const resetWorkflow = async (id: string, to: 'first' | 'last'): Promise<void> => {
      const handle = handleOf(id);
      const { events } = await handle.fetchHistory();
      const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
      await connection.workflowService.resetWorkflowExecution({
        namespace: core.deps.config.temporal.namespace,
        workflowExecution: { workflowId: handle.workflowId },
        workflowTaskFinishEventId: tasks.at(to === 'first' ? 0 : -1)!.eventId!,
        requestId: randomUUID(),
        reason: 'a test',
      });
    };

    for (const [name, reset] of [
      ['reset of the activity', (id, type) => act('resetActivity', id, type)],
      ['reset of the workflow to its first task', (id) => resetWorkflow(id, 'first')],
      ['reset of the workflow to its last task', (id) => resetWorkflow(id, 'last')],
    ] as [string, (id: string, type: string) => Promise<void>][]) {
      it(`completes no step without its work, and makes the next attempt: ${name}`, async () => {
        run = async (attempt, signal) => {
          if (attempt > 2) return;
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
        };
        const tried = kinds.map(async (kind) => {
          const { id } = await core.upload(`again ${kind}`);
          const type = await eventually(async () => {
            const [pending] = (await handleOf(id).describe()).raw.pendingActivities ?? [];
            return pending?.attempt === 3 && pending.activityType!.name!;
          });
          await reset(id, type);
          const { status, steps, artifacts } = await core.settled(id);
          assert.equal(status, 'COMPLETED', `${kind}: ${JSON.stringify(steps)}`);
          assert.deepEqual(
            artifacts.map((made: { type: string }) => made.type),
            ['note'],
            kind,
          );
          const attempts = (await core.call('GET', `/resources/${id}/attempts`)).body.items;
          const outcomes = attempts.map((made: { outcome: string }) => made.outcome);
          assert.deepEqual(
            outcomes.filter((outcome: string) => outcome === 'SUCCESS'),
            ['SUCCESS'],
            `${kind}: ${outcomes.join()}`,
          );
        });
        await Promise.all(tried);
      });
    }
  });
});
