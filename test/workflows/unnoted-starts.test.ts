import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { runWorkflowId, uuidv7 } from '../../core/ids.js';
import { definePlugin, type PluginContext } from '@knowledge-warehouse/plugin';
import { leaseMessages } from '../../storage/outbox.js';
import { registerResource } from '../../storage/transitions/resource-requests.js';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';

/** Whoever starts a run notes afterwards that its first step is begun: it may die before, or be slower than a worker. */
describe('a run whose start arrived, but was not recorded', () => {
  let core: TestCore;
  let stopWorker: () => Promise<void>;
  let work: (ctx: PluginContext<unknown>) => Promise<void>;
  let act: () => Promise<unknown>;
  let connection: Connection;
  let client: Client;

  before(async () => {
    const own = definePlugin({
      id: 'own',
      name: 'Own',
      version: '1.0.0',
      configSchema: { type: 'object' },
      produces: [],
      run: (ctx) => work(ctx),
    });
    core = await startCore({ plugins: [own] });
    const { address, namespace } = core.deps.config.temporal;
    connection = await Connection.connect({ address });
    client = new Client({ connection, namespace });
    // Nobody sends what the tests send themselves, or notes that they have.
    await core.stopSweeps();
    const plugin = {
      id: 'other',
      name: 'Other',
      kind: 'activity',
      task_queue: 'others',
      activity_type: 'act',
    };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    const bounds = { max_attempts: 2, backoff_seconds: 0.1, timeout_seconds: 30 };
    await core.pipeline('own', { plugin_id: 'own', ...bounds });
    await core.pipeline('other', { plugin_id: 'other', ...bounds });
    stopWorker = await startAuthorsWorker(core, 'others', { act: () => act() });
  });
  after(async () => {
    await stopWorker();
    await connection.close();
    await core.stop();
  });

  /**
   * Registers a resource, and starts its run as a process does that dies before it has noted so.
   *
   * @param meanwhile What happens before the start arrives.
   */
  async function startUnnoted(type: string, meanwhile?: (id: string) => Promise<void>): Promise<string> {
    const { db, workflows } = core.deps;
    const id = uuidv7();
    const only = await db.transaction((trx) =>
      registerResource(trx, {
        ...{ id, name: 'left behind', type, source_type: 'UPLOAD', source_uri: null },
        ...{ object_key: null, size_bytes: null, sha256: null, media_type: null, metadata: {} },
      }),
    );
    const [message] = await leaseMessages(db, { limit: 1, leaseSeconds: 0, only: only! });
    // A run whose first step is of another worker's asks before it begins.
    assert.ok(message?.start);
    assert.equal(message.start.begins, type === 'own' ? 0 : null);
    await meanwhile?.(id);
    await workflows.startRun({ ...message.start, resourceId: id, run: 1, origin: null });
    return id;
  }

  it('completes, whether its worker claims the attempt or only returns', async () => {
    work = async () => {};
    act = () => Promise.resolve(undefined);
    for (const type of ['own', 'other']) {
      const id = await startUnnoted(type);
      const { status, steps } = await core.settled(id);
      assert.deepEqual([status, steps[0].status, steps[0].attempt], ['COMPLETED', 'COMPLETED', 1], type);
      assert.ok(steps[0].started_at <= steps[0].finished_at);
      // The message is sent again, and changes nothing.
      await core.deps.outbox.sweep();
      assert.deepEqual(await core.deps.db('outbox'), []);
      assert.deepEqual((await core.settled(id)).steps, steps);
    }
  });

  it('is FAILED with its reason', async () => {
    act = () => Promise.reject(new Error('no'));
    const { status, error, steps } = await core.settled(await startUnnoted('other'));
    assert.deepEqual(
      [status, error.message, steps[0].status, steps[0].attempt],
      ['FAILED', 'no', 'FAILED', 2],
    );
  });

  it('is CANCELLED at once, and its worker is told', async () => {
    let told = false;
    work = (ctx) =>
      new Promise((_resolve, reject) =>
        ctx.signal.addEventListener('abort', () => {
          told = true;
          reject(new Error('cancelled'));
        }),
      );
    const id = await startUnnoted('own');
    await eventually(async () => (await core.deps.db('attempts').where({ resource_id: id })).length === 1);
    const { status, body } = await core.call('POST', `/resources/${id}/cancel`);
    assert.deepEqual([status, body.status, body.steps[0].status], [202, 'CANCELLED', 'CANCELLED']);
    await eventually(() => told);
    await eventually(async () => (await core.deps.db('outbox').where({ resource_id: id })).length === 0);
    assert.equal(await core.deps.workflows.runStatus(id, 1), 'ENDED');
  });
  for (const type of ['own', 'other'])
    it(`closes as Canceled if it was cancelled before the start arrived: ${type}`, async () => {
      const { db, outbox } = core.deps;
      const id = await startUnnoted(type, async (sent) => {
        assert.equal((await core.call('POST', `/resources/${sent}/cancel`)).body.status, 'CANCELLED');
        // The request reaches Temporal before the start.
        await eventually(async () => (await db('outbox').where({ resource_id: sent })).length === 0);
      });
      const handle = client.workflow.getHandle(runWorkflowId(id, 1));
      const status = await eventually(async () => {
        await outbox.sweep();
        const { name } = (await handle.describe()).status;
        return name !== 'RUNNING' && name;
      });
      assert.equal(status, 'CANCELLED');
    });
});
