import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { findFreePort } from '../../runtime/embedded/ports.js';
import { readRepairs } from '../../storage/repairs.js';
import { startCore, type TestCore } from '../support/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/http-worker.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { proxyTo, type Proxy } from '../support/proxy.js';
import { createRestClient, type RestClient } from '../support/rest-client.js';
import { startService, type Service } from '../support/service.js';
import { startTemporal } from '../support/temporal.js';
import { temporaryFolder } from '../support/temporary.js';

const signalled = 'workflowExecutionSignaledEventAttributes';

/** An API of its own whose way to Temporal is blocked, beside another API, a worker and sweepers that reach it. */
describe('the API, killed', () => {
  let database: TestDatabase;
  let core: TestCore;
  let worker: HttpWorker;
  let proxy: Proxy;
  let api: Service;
  let client: RestClient;
  let connection: Connection;
  let base: string;
  const dataDir = temporaryFolder();

  before(async () => {
    let temporal;
    [database, worker, temporal] = await Promise.all([createDatabase(), startHttpWorker(), startTemporal()]);
    const { address } = temporal.config;
    [core, proxy] = await Promise.all([
      startCore({ plugins: [], database, env: { KW_DATA_DIR: dataDir } }),
      proxyTo(address),
    ]);
    connection = await Connection.connect({ address });
    await core.call('POST', '/plugins', { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint });
    await core.pipeline('far', { plugin_id: 'far', max_attempts: 1 });
  });
  beforeEach(async () => {
    worker.arrived.length = 0;
    await proxy.set('pass');
    const port = await findFreePort();
    base = `http://127.0.0.1:${port}`;
    api = await startService('api', {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: proxy.address,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: base,
      PORT: String(port),
      KW_DATA_DIR: dataDir,
      // What is left behind is for the others to find.
      KW_SWEEP_INTERVAL_SECONDS: '3600',
    });
    client = createRestClient({ api: base, adminKey: core.adminKey });
    await proxy.set('hang');
  });
  afterEach(() => api.kill9());
  after(async () => {
    await core.stop();
    await connection.close();
    await proxy.stop();
    await worker.stop();
    await database.drop();
  });

  it('between its commit and the start of the workflow: the sweeper starts it, once', async () => {
    await core.stopSweeps();
    const { id, workflow_id, status } = await client.upload('far', { text: 'hello' });
    assert.equal(status, 'PROCESSING');
    // It is about to be sent.
    await eventually(async () => {
      const [message] = await core.deps.db('outbox').where({ resource_id: id, kind: 'START' });
      return message?.leased_until instanceof Date;
    });
    await api.kill9();
    const handle = new Client({ connection }).workflow.getHandle(workflow_id);
    await assert.rejects(handle.describe(), { name: 'WorkflowNotFoundError' });
    core.startSweeps();

    const resource = await core.settled(id, 30_000);
    assert.deepEqual([resource.status, resource.run], ['COMPLETED', 1]);
    assert.equal(worker.arrived.filter((step) => step.message.resource.id === id).length, 1);
    const { body } = await core.call('GET', `/resources/${id}/runs`);
    assert.equal(body.items.length, 1);
    assert.equal((await readRepairs(core.deps.db)).run_started, 1);
  });

  it('between the commit of a report and its signal: the step goes on', async () => {
    worker.handle = () => ({ status: 202 });
    const { id, workflow_id } = await core.upload('far');
    const step = await eventually(() => worker.arrived[0]);
    const handle = new Client({ connection }).workflow.getHandle(workflow_id);
    // The delivery is over: nothing but the signal tells the workflow.
    await eventually(async () => ((await handle.describe()).raw.pendingActivities ?? []).length === 0);
    const caught = proxy.caught();
    const { callback } = step.message;
    const response = await fetch(callback.url.replace(core.base, base), {
      method: 'POST',
      headers: { authorization: `Bearer ${callback.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        status: 'SUCCESS',
        artifact: { type: 'note', content_type: 'text', content: 'x' },
      }),
    });
    assert.equal(response.status, 200);
    // It is about to signal, and is not heard.
    await eventually(() => proxy.caught() > caught, { intervalMs: 5 });
    await api.kill9();
    const [attempt] = await core.deps.db('attempts').where({ resource_id: id });
    assert.equal(attempt?.outcome, 'SUCCESS');
    assert.ok(attempt.signal_due_at instanceof Date, 'nobody has told the workflow');
    assert.equal((await handle.describe()).status.name, 'RUNNING');

    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 1]);
    const { events = [] } = await handle.fetchHistory();
    assert.equal(events?.filter((event) => event[signalled]).length, 1);
    assert.equal((await readRepairs(core.deps.db)).report_signalled, 1);
  });
});
