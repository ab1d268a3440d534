import assert from 'node:assert/strict';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { runWorkflowId } from '../../core/ids.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { bundleWith, sdk } from '../support/service/workflow-bundle.js';

/** Faults of a workflow's code, by the name of the resource whose run has them. */
const faults = {
  throws: 'throw new TypeError("A bug.");',
  // Blocks without using the processor.
  blocks: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
  'sends 3 MiB': `await ${sdk}.proxyActivities({ startToCloseTimeout: 1000 }).work("x".repeat(3 * 2 ** 20));`,
  'sends too much': `await ${sdk}.proxyActivities({ startToCloseTimeout: 1000 }).work("x".repeat(6e6));`,
  'sends no text': `await ${sdk}.proxyActivities({ startToCloseTimeout: 1000, taskQueue: "\\ud800" }).work();`,
};

describe('a run whose workflow task fails', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let connection: Connection;
  let client: Client;
  let bundle = bundleWith(
    `const name = (0, ${sdk}.workflowInfo)().memo.name;\n${Object.entries(faults)
      .map(([name, code]) => `if (name === "http ${name}") { ${code} }`)
      .join('\n')}`,
  );

  before(async () => {
    [core, worker] = await Promise.all([startCore({ plugins: [], bundle: () => bundle }), startHttpWorker()]);
    const { address, namespace } = core.deps.config.temporal;
    connection = await Connection.connect({ address });
    client = new Client({ connection, namespace });
    const plugin = { id: 'http', name: 'HTTP', kind: 'http', endpoint: worker.endpoint };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('http', { plugin_id: 'http', timeout_seconds: 3_600 });
  });
  after(async () => {
    await connection.close();
    await core.stop();
    await worker.stop();
  });

  const handleOf = ({ id }: { readonly id: string }): WorkflowHandle =>
    client.workflow.getHandle(runWorkflowId(id, 1));
  const waitingFor = async ({ id }: { readonly id: string }): Promise<any> =>
    (await core.call('GET', `/resources/${id}`)).body.steps[0].waiting_for;
  const assertOthersFinish = async (): Promise<void> => {
    worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
    const others = await Promise.all([1, 2].map(() => core.upload('http', 'other')));
    for (const { id } of others) assert.equal((await core.settled(id, 60_000)).status, 'COMPLETED');
  };
  /** As though the cancel had been asked for a while ago. */
  const letAMinutePass = async ({ id }: { readonly id: string }): Promise<void> => {
    await core.deps
      .db('runs')
      .where({ resource_id: id })
      .update({ cancel_requested_at: new Date(Date.now() - 61_000) });
  };

  it('shows the reason, blocks no other run, and ends with a cancel', async () => {
    const names = ['throws', 'blocks', 'sends too much'] as const;
    const failing = await Promise.all(names.map((name) => core.upload('http', name)));
    await assertOthersFinish();
    for (const [index, resource] of failing.entries()) {
      const waiting = await eventually(async () => {
        const seen = await waitingFor(resource);
        return seen?.kind === 'workflow' && seen;
      });
      // A task that timed out on a busy machine has no recorded reason.
      assert.match(
        waiting.message,
        index === 0 ? /A bug\./ : /has failed( or timed out)? \d+ times/,
        names[index],
      );
    }
    for (const resource of failing) {
      assert.equal((await core.call('POST', `/resources/${resource.id}/cancel`)).status, 202);
      await letAMinutePass(resource);
    }
    for (const { id } of failing) {
      assert.equal((await core.settled(id, 60_000)).status, 'CANCELLED');
      assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
    }
    await assertOthersFinish();
  });

  it('is FAILED when Temporal ends the workflow, for a payload that it does not store', async () => {
    const { id } = await core.upload('http', 'sends 3 MiB');
    await assertOthersFinish();
    const { status, error } = await core.settled(id, 60_000);
    assert.deepEqual([status, error?.code], ['FAILED', 'WORKFLOW_TERMINATED']);
  });

  it('keeps the worker running if its messages hold half a surrogate pair', async () => {
    const resource = await core.upload('http', 'sends no text');
    await assertOthersFinish();
    assert.equal((await handleOf(resource).describe()).status.name, 'RUNNING');
    await handleOf(resource).terminate();
  });

  it('because the code has changed is detected and ended in the same way', async () => {
    worker.handle = () => ({ status: 202 });
    const resource = await core.upload('http', 'changed');
    await eventually(async () => (await waitingFor(resource))?.kind === 'callback');
    bundle = bundleWith(`await (0, ${sdk}.sleep)(1);`);
    await core.restartWorker();
    await handleOf(resource).signal('stepReported', { index: 0, attempt: 1 });
    await assertOthersFinish();
    await eventually(async () => (await waitingFor(resource))?.kind === 'workflow');
    await core.call('POST', `/resources/${resource.id}/cancel`);
    await letAMinutePass(resource);
    assert.equal((await core.settled(resource.id, 60_000)).status, 'CANCELLED');
  });

  it('does not result from unknown signals, or from activities that are completed by hand', async () => {
    worker.handle = () => ({ status: 202 });
    const resource = await core.upload('http', 'odd');
    await eventually(async () => (await waitingFor(resource))?.kind === 'callback');
    for (const args of [[], [null], ['x'], [{ index: '0' }], [{ index: 7 }], [[]]])
      await handleOf(resource).signal('stepReported', ...args);
    // An operator completes a running delivery by hand, without a result.
    worker.handle = () => undefined;
    const byHand = await core.upload('http', 'by hand');
    await eventually(() => worker.arrived.some(({ message }) => message.resource.id === byHand.id));
    const { raw } = await handleOf(byHand).describe();
    await connection.workflowService.respondActivityTaskCompletedById({
      namespace: core.deps.config.temporal.namespace,
      workflowId: runWorkflowId(byHand.id, 1),
      activityId: raw.pendingActivities?.[0]?.activityId ?? '',
    });
    for (const { id } of [byHand, resource]) {
      const [step] = worker.arrived.filter(({ message }) => message.resource.id === id);
      assert.equal((await worker.report(step!, { status: 'SUCCESS' })).status, 200);
      assert.equal((await core.settled(id, 60_000)).status, 'COMPLETED');
    }
    const history = await handleOf(resource).fetchHistory();
    assert.ok(!history.events?.some((event) => event.workflowTaskFailedEventAttributes));
  });
});
