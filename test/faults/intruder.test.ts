import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { runWorkflowId, uuidv7 } from '../../core/ids.js';
import { beginWith, cleanUpWorkflowId, type StepSnapshot } from '../../core/runs/run-protocol.js';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { intruderBundle } from '../support/workers/intruder.js';
import { objectsBelow } from '../support/stores/stored-objects.js';

const once = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 120 };
const queue = 'intruder';
const enums = proto.temporal.api.enums.v1;

/** What each plugin keeps outside the service, by resource. */
const kept = new Set<string>();
let letGo = (): void => undefined;
const isLetGo = new Promise<void>((done) => (letGo = done));

const keeper = definePlugin({
  id: 'keeper',
  name: 'Keeper',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['note'],
  async run(ctx) {
    const text = (await ctx.source.buffer()).toString();
    if (text === 'slow') await isLetGo;
    kept.add(ctx.resource.id);
    await ctx.emit({ type: 'note', content_type: 'text', content: text });
  },
  cleanup({ resource }) {
    kept.delete(resource.id);
    return Promise.resolve();
  },
});

/** What the section of SECURITY.md says, each with its test below. */
const lines = [
  ...readFileSync(resolve('SECURITY.md'), 'utf8').matchAll(/^- \*\*(can(?:not)?) (.+?)\*\*/gm),
].map(([, word, what]) => `${word} ${what}`);
const tested: string[] = [];

describe('an attacker who reaches Temporal', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let connection: Connection;
  let client: Client;
  let stopIntruder: () => Promise<void>;
  /** A resource that is done, and one that is at work all the while: its worker keeps it. */
  let done: { readonly id: string; readonly artifacts: readonly { readonly id: string }[] };
  let slow: { readonly id: string };
  let reported: { readonly id: string };

  before(async () => {
    worker = await startHttpWorker();
    worker.handle = () => ({ status: 202 });
    core = await startCore({ plugins: [keeper] });
    const remote = { id: 'remote', name: 'Remote', kind: 'http', endpoint: worker.endpoint };
    await core.call('POST', '/plugins', remote);
    await core.pipeline('kept', { plugin_id: 'keeper', ...once });
    await core.pipeline('reported', { plugin_id: 'remote', ...once }, { plugin_id: 'keeper', ...once });
    const { address, namespace } = core.deps.config.temporal;
    connection = await Connection.connect({ address });
    client = new Client({ connection, namespace });
    const native = await NativeConnection.connect({ address });
    const intruder = await Worker.create({
      connection: native,
      namespace,
      taskQueue: queue,
      workflowBundle: { codePath: intruderBundle() },
    });
    const running = intruder.run();
    stopIntruder = async () => {
      intruder.shutdown();
      await running;
      await native.close();
    };
    done = await core.settled((await core.upload('kept', 'done')).id);
    slow = await core.upload('kept', 'slow');
    reported = await core.upload('reported');
    await eventually(() => worker.arrived.length === 1);
  });
  afterEach(unharmed);
  after(async () => {
    letGo();
    for (const step of worker.arrived) await worker.report(step, { status: 'SUCCESS' });
    for (const { id } of [slow, reported]) assert.equal((await core.settled(id)).status, 'COMPLETED');
    assert.equal(worker.arrived.length, 1, 'a step was delivered twice');
    await stopIntruder();
    await core.stop();
    await Promise.all([connection.close(), worker.stop()]);
    assert.deepEqual(tested, lines, 'SECURITY.md and these tests say the same');
  });

  /** What was done is still there, and what is at work is still at work. */
  async function unharmed(): Promise<void> {
    const { status, body } = await core.call(
      'GET',
      `/resources/${done.id}/artifacts/${done.artifacts[0]!.id}`,
    );
    assert.deepEqual([status, body.content], [200, 'done']);
    assert.ok(kept.has(done.id));
    for (const { id } of [slow, reported]) {
      const { body: resource } = await core.call('GET', `/resources/${id}`);
      assert.deepEqual([resource.status, resource.steps[0].attempt], ['PROCESSING', 1]);
    }
    assert.deepEqual(worker.cancellations(reported.id), []);
  }

  const says = (line: string, test: () => Promise<void>): void => {
    tested.push(line);
    it(line, test);
  };
  /** Starts a workflow of Core's, and returns the type of the failure that it ends with. */
  const outcomeOf = async (type: string, workflowId: string, ...args: unknown[]): Promise<string> => {
    const handle = await client.workflow.start(type, { workflowId, taskQueue: 'kw-core', args });
    return await failureOf(handle.result());
  };
  /** Has Core's worker carry out activities for a workflow of this id. Returns the type of each failure. */
  const intrudeByEach = (
    workflowId: string,
    activities: readonly string[],
    ...args: unknown[]
  ): Promise<string[]> =>
    client.workflow.execute('processResource', {
      ...{ workflowId, taskQueue: queue },
      args: [{ activities, args }],
    });
  const intrude = async (workflowId: string, activity: string, ...args: unknown[]): Promise<string> =>
    (await intrudeByEach(workflowId, [activity], ...args))[0]!;
  const stepsOf = async (id: string): Promise<StepSnapshot[]> =>
    await core.deps
      .db('steps')
      .select('index', 'plugin_id', 'kind', 'task_queue', 'activity_type', 'endpoint', 'heartbeat_seconds')
      .select('max_attempts', 'backoff_seconds', 'timeout_seconds')
      .where({ resource_id: id, run: 1 })
      .orderBy('index');
  /** What differs from a workflow of Core's, with the reason that the API gives. */
  const differences = [
    [{ taskQueue: { name: 'elsewhere' } }, /its task queue is elsewhere instead of kw-core/],
    [{ workflowType: { name: 'nothing' } }, /its type is nothing instead of processResource/],
    [{ workflowStartDelay: msToTs('1 day') }, /its start was delayed until 2/],
  ] as const;
  /** Puts a workflow that does nothing, with an unreadable memo, in the place of one of Core's. */
  const occupy = async (
    workflowId: string,
    type: string,
    difference: (typeof differences)[number][0],
  ): Promise<void> => {
    await connection.workflowService.startWorkflowExecution({
      namespace: client.options.namespace,
      requestId: uuidv7(),
      workflowId,
      workflowType: { name: type },
      taskQueue: { name: 'kw-core' },
      workflowIdReusePolicy: enums.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
      workflowIdConflictPolicy: enums.WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING,
      memo: { fields: { name: { metadata: { encoding: Buffer.from('zz') }, data: Buffer.from('?') } } },
      ...difference,
    });
  };
  const elsewhere = (): string => `intruder-${uuidv7()}`;

  says('cannot remove the objects of a resource that exists.', async () => {
    for (const { id } of [done, slow]) {
      const before = await objectsBelow(core.deps, `resources/${id}/`);
      assert.ok(before.length > 0);
      const input = { resourceId: id };
      assert.equal(await outcomeOf('cleanUpResource', cleanUpWorkflowId(input), input), 'KW_REFUSED');
      assert.equal(await intrude(cleanUpWorkflowId(input), 'deleteResourceObjects', input), 'KW_REFUSED');
      assert.deepEqual(await objectsBelow(core.deps, `resources/${id}/`), before);
    }
  });

  says(
    'cannot make a plugin remove anything that the tables do not list, or skip anything that they list.',
    async () => {
      const { id } = done;
      const workflowId = cleanUpWorkflowId({ resourceId: id });
      const message = { protocol: 'kw.cleanup/1', resource: { id }, run: 1, artifacts: [] };
      for (const reason of ['RESOURCE_DELETED', 'ARTIFACTS_REMOVED'])
        assert.equal(await intrude(workflowId, 'keeper.cleanup', { ...message, reason }), 'KW_REFUSED');
      const due = uuidv7();
      const { db } = core.deps;
      const row = { id: due, resource_id: uuidv7(), run: 1, up_to_run: 1, artifacts: '[]' };
      await db('clean_ups').insert({ ...row, plugin_id: 'keeper', reason: 'RESOURCE_DELETED' });
      for (const activity of ['finishCleanUp', 'deliverCleanUp', 'noteCleanUpFailure'])
        assert.equal(await intrude(workflowId, activity, { id: due, error: 'none' }), 'KW_REFUSED');
      const [left] = await db('clean_ups').where({ id: due }).delete().returning('tries');
      assert.equal(left?.tries, 0);

      // Nor by taking the id of the workflow that would remove it.
      const deleted = differences.map(() => uuidv7());
      for (const [position, [difference]] of differences.entries()) {
        const resource_id = deleted[position]!;
        kept.add(resource_id);
        await occupy(cleanUpWorkflowId({ resourceId: resource_id }), 'cleanUpResource', difference);
        const created_at = db.raw("now() - interval '2 minutes'");
        const pending = { ...row, id: uuidv7(), resource_id, created_at };
        await db('clean_ups').insert({ ...pending, plugin_id: 'keeper', reason: 'RESOURCE_DELETED' });
      }
      await eventually(async () => {
        await db('sweeps').where({ name: 'open clean-ups' }).update({ due_at: db.fn.now() });
        return deleted.every((each) => !kept.has(each));
      });
    },
  );

  says('cannot start a run that is not registered.', async () => {
    const [step] = await stepsOf(done.id);
    const [delivered] = await stepsOf(reported.id);
    const foreign = { ...step!, task_queue: 'nobody', activity_type: 'nothing' };
    for (const steps of [[step!], [delivered!], [foreign]]) {
      for (const first of [beginWith(steps[0]!, core.base), undefined]) {
        const input = { resourceId: uuidv7(), run: 1, steps, first };
        const workflowId = runWorkflowId(input.resourceId, 1);
        const failure = await outcomeOf('processResource', workflowId, input);
        assert.ok(['NOT_FOUND', 'KW_REFUSED'].includes(failure), failure);
      }
    }
    const unknownRun = { resourceId: uuidv7(), run: 1 };
    const workflowId = runWorkflowId(unknownRun.resourceId, 1);
    assert.equal(await intrude(workflowId, 'fetchSource', unknownRun), 'KW_REFUSED');
  });

  says('cannot process a registered resource with another workflow or with other steps.', async () => {
    for (const { id } of [done, slow, reported]) {
      const steps = await stepsOf(id);
      const input = { resourceId: id, run: 1, steps };
      const first = beginWith(steps[0]!, core.base);
      for (const given of [input, { ...input, first }, { ...input, first: { ...first, delayMs: 3e12 } }])
        assert.equal(await outcomeOf('processResource', elsewhere(), given), 'KW_REFUSED');
    }
    // The run's own id, which is free once its workflow has ended.
    const { db } = core.deps;
    const before = await db('attempts').where({ resource_id: slow.id });
    const made = (await stepsOf(slow.id)).map((step) => ({
      ...step,
      task_queue: 'nobody',
      max_attempts: 99,
    }));
    const ended = await core.register('kept', 'ended');
    await core.settled(ended.body.id);
    await client.workflow.getHandle(runWorkflowId(ended.body.id, 1)).result();
    const input = { resourceId: ended.body.id, run: 1, steps: made, first: beginWith(made[0]!, core.base) };
    const workflowId = runWorkflowId(ended.body.id, 1);
    assert.equal(await outcomeOf('processResource', workflowId, input), 'FORBIDDEN');
    assert.deepEqual(await db('attempts').where({ resource_id: slow.id }), before);
  });

  says('cannot add attempts, deliveries or cancellations.', async () => {
    const message = {
      protocol: 'kw.activity/1',
      core_url: core.base,
      resource_id: slow.id,
      run: 1,
      step_index: 0,
      plugin_id: 'keeper',
      attempt_base: 0,
    };
    const ref = { resourceId: reported.id, run: 1, stepIndex: 0 };
    assert.equal(await intrude(elsewhere(), 'keeper', message), 'KW_REFUSED');
    assert.equal(await intrude(elsewhere(), 'deliverStep', { ...ref, attemptBase: 1 }), 'KW_REFUSED');
    assert.equal(await intrude(elsewhere(), 'cancelDelivery', { ...ref, attempt: 1 }), 'KW_REFUSED');
    for (const resourceId of [reported.id, uuidv7()]) {
      const next = { resourceId, run: 2, stepIndex: 0, attempt: 1, pluginId: 'remote' };
      await intrude(runWorkflowId(resourceId, 2), 'cancelDelivery', next);
      assert.deepEqual(worker.cancellations(resourceId), []);
    }
    assert.equal(
      await intrude(elsewhere(), 'advanceRun', { ...ref, steps: [{}] }, { kind: 'CANCEL' }),
      'KW_REFUSED',
    );

    // Not even by a workflow that he has put in the place of the run's own.
    const { body: again } = await core.call('POST', `/resources/${done.id}/reprocess`, undefined);
    await core.settled(again.id);
    const workflowId = runWorkflowId(again.id, again.run);
    await client.workflow.getHandle(workflowId).result();
    const stolen = { ...message, resource_id: again.id, run: again.run };
    const { db } = core.deps;
    const where = { resource_id: again.id, run: again.run };
    await db('runs').where(where).update({ status: 'PROCESSING' });
    await db('resources').where({ id: again.id }).update({ status: 'PROCESSING' });
    await db('attempts').where(where).delete();
    await db('steps').where(where).update({ status: 'PENDING' });
    assert.equal(await intrude(workflowId, 'keeper', { ...stolen, attempt_base: 7 }), 'FORBIDDEN');
    const step = { resourceId: again.id, run: again.run, stepIndex: 0 };
    assert.equal(await intrude(workflowId, 'deliverStep', { ...step, attemptBase: 0 }), 'FORBIDDEN');
    assert.deepEqual(await db('attempts').where(where), []);
    await db('steps').where(where).update({ status: 'COMPLETED' });
    await db('runs').where(where).update({ status: 'COMPLETED' });
    await db('resources').where({ id: again.id }).update({ status: 'COMPLETED' });
  });

  says('cannot change an outcome with a signal.', async () => {
    for (const { id } of [slow, reported]) {
      const handle = client.workflow.getHandle(runWorkflowId(id, 1));
      await handle.signal('stepReported', { index: 0, attempt: 1 });
      await handle.signal('stepReported', { index: 7, attempt: -1 });
      await handle.signal('nothingKnown', null);
      await handle.query('progress');
    }
  });

  says('cannot stop the worker, or keep it busy, with malformed input.', async () => {
    const { resourceId, run } = { resourceId: uuidv7(), run: 1 };
    const [step] = await stepsOf(done.id);
    const huge = 'x'.repeat(1_000_000);
    const senseless: unknown[][] = [
      [],
      [null],
      ['text'],
      [[]],
      [{}],
      [{ resourceId, run }],
      [{ resourceId, run, steps: [] }],
      [{ resourceId, run, steps: [null] }],
      [{ resourceId, run, steps: [{ ...step, timeout_seconds: 'soon' }] }],
      [{ resourceId, run, steps: [step], first: { do: 'RUN', index: 9 } }],
      [{ resourceId: huge, run, steps: [step] }],
      [{ resourceId: { huge }, run: -1, steps: Array(51).fill(step) }],
    ];
    const cases = ['processResource', 'cleanUpResource'].flatMap((type) =>
      senseless.map((args) => ({ type, args })),
    );
    await Promise.all(
      cases.map(async ({ type, args }) => {
        const failure = await outcomeOf(type, elsewhere(), ...args);
        assert.equal(failure, 'KW_REFUSED', `${type} ${JSON.stringify(args).slice(0, 200)}`);
      }),
    );
    const activities = [
      'advanceRun',
      'deliverStep',
      'fetchSource',
      'cancelDelivery',
      'keeper',
      'keeper.cleanup',
    ];
    const cleanUps = [
      'deleteResourceObjects',
      'planCleanUp',
      'deliverCleanUp',
      'finishCleanUp',
      'noteCleanUpFailure',
    ];
    const each = [...activities, ...cleanUps];
    for (const args of [[], [null]])
      assert.deepEqual(
        await intrudeByEach(elsewhere(), each, ...args),
        each.map(() => 'KW_REFUSED'),
      );
    for (const activity of each) {
      const wrong = { id: 7, resourceId: [], run: huge };
      assert.equal(await intrude(elsewhere(), activity, wrong), 'KW_REFUSED', activity);
    }
  });

  says('can end a run: cancel or terminate its workflow.', async () => {
    const { id } = await core.upload('reported');
    await eventually(() => worker.arrived.length === 2);
    await client.workflow.getHandle(runWorkflowId(id, 1)).terminate();
    assert.equal((await core.settled(id)).error.code, 'WORKFLOW_TERMINATED');
    const { id: other } = await core.upload('reported');
    await eventually(() => worker.arrived.length === 3);
    await client.workflow.getHandle(runWorkflowId(other, 1)).cancel();
    assert.equal((await core.settled(other)).status, 'CANCELLED');
    // Even if he puts one in its place that does nothing, with a memo that no client can read.
    const uploads = await Promise.all(differences.map(() => core.upload('reported')));
    await eventually(() => worker.arrived.length === 3 + uploads.length);
    await Promise.all(
      differences.map(async ([difference, reason], position) => {
        const { id: replaced } = uploads[position]!;
        await occupy(runWorkflowId(replaced, 1), 'processResource', difference);
        await eventually(async () => {
          const { waiting_for: wait } = (await core.call('GET', `/resources/${replaced}`)).body.steps[0];
          return wait?.kind === 'workflow' && reason.test(wait.message);
        });
        assert.equal(await core.deps.workflows.terminateOverdue(replaced, 1, 0), true);
      }),
    );
    for (const { id: replaced } of uploads)
      assert.equal((await core.settled(replaced)).error.code, 'WORKFLOW_TERMINATED');
    worker.arrived.length = 1;
  });

  says('can take tasks from the queues, and with them forge the result of an activity plugin.', async () => {
    await core.call('POST', '/plugins', {
      id: 'own',
      name: 'Own',
      kind: 'activity',
      task_queue: 'own',
      activity_type: 'work',
    });
    await core.pipeline('own', { plugin_id: 'own', ...once });
    const forged = { type: 'note', content_type: 'text', content: 'forged' };
    const stop = await startAuthorsWorker(core, 'own', { work: () => ({ artifacts: [forged] }) });
    try {
      const resource = await core.settled((await core.upload('own')).id);
      const { body } = await core.call(
        'GET',
        `/resources/${resource.id}/artifacts/${resource.artifacts[0].id}`,
      );
      assert.equal(body.content, 'forged');
    } finally {
      await stop();
    }
  });

  says('can read names, types, error messages and the addresses of plugins, but no content.', async () => {
    const handle = client.workflow.getHandle(runWorkflowId(done.id, 1));
    const { memo } = await handle.describe();
    assert.equal(memo?.['name'], 'kept done');
    const history = JSON.stringify(await handle.fetchHistory());
    assert.ok(!history.includes(Buffer.from('"done"').toString('base64')));
  });
});

/** The type of the failure that a workflow ended with, its own or its activity's. */
async function failureOf(result: Promise<unknown>): Promise<string> {
  try {
    return `none: ${JSON.stringify(await result)}`;
  } catch (error) {
    let cause: unknown = error;
    while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
    assert.ok(error instanceof WorkflowFailedError, String(error));
    return (cause as { readonly type?: string }).type ?? String(cause);
  }
}
