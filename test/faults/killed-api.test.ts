import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { createGates, type Gates } from '../support/network/gates.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { proxyTo, type Proxy } from '../support/network/proxy.js';
import { assertRepairs } from '../support/service/repairs.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { startService, type Service } from '../support/service/service.js';
import { assertNothingHalfStored } from '../support/stores/stored-objects.js';
import { temporaryFolder } from '../support/temporary.js';

const signalled = 'workflowExecutionSignaledEventAttributes';
const content = 'The text of a request that is sent again.';

/** An API of its own whose way to Temporal is blocked, beside another API, a worker and sweepers that reach it. */
describe('the API, when it is killed', () => {
  let database: TestDatabase;
  let core: TestCore;
  let worker: HttpWorker;
  let toTemporal: Proxy;
  let toDatabase: Proxy;
  let gates: Gates;
  let api: Service;
  let client: RestClient;
  let temporal: TemporalClient;
  let base: string;
  const dataDir = temporaryFolder();

  before(async () => {
    [database, worker] = await Promise.all([createDatabase(), startHttpWorker()]);
    core = await startCore({ plugins: [], database, env: { KW_DATA_DIR: dataDir } });
    const config = core.deps.config.temporal;
    [toTemporal, toDatabase, gates] = await Promise.all([
      proxyTo(config.address),
      proxyTo(database.url),
      createGates(database.url),
    ]);
    await gates.add('insert', 'before insert on resources for each row');
    await gates.add('commit', 'after insert on resources deferrable initially deferred for each row');
    temporal = await connectTemporal(config);
    await core.call('POST', '/plugins', { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint });
    await core.pipeline('far', { plugin_id: 'far', max_attempts: 1 });
  });
  beforeEach(async () => {
    worker.arrived.length = 0;
    worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
    await Promise.all([toTemporal.set('pass'), toDatabase.set('pass')]);
    const port = await reservePort();
    const databaseUrl = new URL(database.url);
    databaseUrl.host = toDatabase.address;
    base = `http://127.0.0.1:${port}`;
    api = await startService('api', {
      DATABASE_URL: databaseUrl.href,
      TEMPORAL_ADDRESS: toTemporal.address,
      TEMPORAL_NAMESPACE: core.deps.config.temporal.namespace,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: base,
      PORT: String(port),
      KW_DATA_DIR: dataDir,
      // What is left behind is for the others to find.
      KW_SWEEP_INTERVAL_SECONDS: '3600',
      KW_LEASE_SECONDS: '2',
      // Gates hold its statements.
      KW_DATABASE_TIMEOUT_SECONDS: '60',
    });
    client = createRestClient({ api: base, adminKey: core.adminKey });
    // Its connection stands: what it tells Temporal from now on is said into it.
    await eventually(async () => (await fetch(`${base}/health/ready`)).ok);
    await toTemporal.set('hang');
  });
  afterEach(() => api.kill9());
  after(async () => {
    await core.stop();
    await gates.stop();
    await temporal.close();
    await Promise.all([toTemporal.stop(), toDatabase.stop()]);
    await worker.stop();
    await database.drop();
  });

  it('between a commit and what it tells Temporal: sweepers start the run and signal the report, once', async () => {
    worker.handle = () => ({ status: 202 });
    const reported = await core.upload('far');
    const step = await eventually(() => worker.arrived[0]);
    const waiting = temporal.client.workflow.getHandle(reported.workflow_id);
    // The delivery is over: nothing but the signal tells the workflow.
    await eventually(async () => ((await waiting.describe()).raw.pendingActivities ?? []).length === 0);
    worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
    // Held up, so that it is seen as it was left.
    await core.stopSweeps();
    const caught = toTemporal.caught();
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
    await eventually(() => toTemporal.caught() > caught, { intervalMs: 5 });
    const begun = await client.upload('far', { text: 'hello' });
    assert.equal(begun.status, 'PROCESSING');
    const message = async (): Promise<{ leased_until: Date | null; last_error: string | null } | undefined> =>
      await core.deps.db('outbox').where({ resource_id: begun.id, kind: 'START' }).first();
    // It is about to be sent.
    await eventually(async () => (await message())?.leased_until instanceof Date);
    await api.kill9();

    const left = await message();
    assert.deepEqual([left?.leased_until instanceof Date, left?.last_error], [true, null], 'it was given up');
    const unknown = temporal.client.workflow.getHandle(begun.workflow_id);
    await assert.rejects(unknown.describe(), { name: 'WorkflowNotFoundError' });
    const [attempt] = await core.deps.db('attempts').where({ resource_id: reported.id });
    assert.equal(attempt?.outcome, 'SUCCESS');
    assert.ok(attempt.signal_due_at instanceof Date, 'the workflow was not told');
    assert.equal((await waiting.describe()).status.name, 'RUNNING');
    core.startSweeps();

    const started = await core.settled(begun.id);
    assert.deepEqual([started.status, started.run], ['COMPLETED', 1]);
    assert.equal(worker.arrived.filter(({ message: { resource } }) => resource.id === begun.id).length, 1);
    const { body } = await core.call('GET', `/resources/${begun.id}/runs`);
    assert.equal(body.items.length, 1);
    await assertRepairs(core.deps.db, 'run_started', 1);

    const signal = await core.settled(reported.id);
    assert.deepEqual([signal.status, signal.artifacts.length], ['COMPLETED', 1]);
    const { events = [] } = await waiting.fetchHistory();
    assert.equal(events?.filter((event) => event[signalled]).length, 1);
    await assertRepairs(core.deps.db, 'report_signalled', 1);
  });

  describe('while requests with Idempotency-Keys are in flight', () => {
    const claims = async (): Promise<number> =>
      (await database.db('idempotency_keys').whereNull('status')).length;
    const formOf = (name: string): FormData => {
      const form = new FormData();
      form.set('name', name);
      form.set('type', 'far');
      form.set('file', new Blob([content]), 'text.txt');
      return form;
    };
    const headersOf = (name: string): Record<string, string> => ({
      authorization: `Bearer ${core.adminKey}`,
      'idempotency-key': name,
    });
    /** Registers the text under a name that is its key as well. */
    const send = async (to: string, name: string): Promise<Answer> => {
      const response = await fetch(`${to}/api/v1/resources`, {
        method: 'POST',
        headers: headersOf(name),
        body: formOf(name),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    /** Sends it to the API that is about to die. Resolves when that has happened, with how the request ended. */
    const sendUnanswered = (name: string): Promise<string> =>
      send(base, name).then(
        ({ status }) => `${status}`,
        () => 'cut off',
      );
    /** Sends it again, elsewhere, until it is answered as wished; before, it may be told that the first is on its way. */
    const sendAgain = async (name: string): Promise<Answer['body']> =>
      await eventually(async () => {
        const { status, headers, body } = await send(core.base, name);
        if (status === 201) return body;
        assert.deepEqual([status, body.error.code], [409, 'IDEMPOTENCY_IN_PROGRESS']);
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
        return false;
      });
    /** There is one resource of this name, and it is processed once; whoever asks once more is told the same. */
    const wasDoneOnce = async (name: string, id: string): Promise<void> => {
      const rows: { id: string }[] = await database.db('resources').where({ name });
      assert.deepEqual(
        rows.map((row) => row.id),
        [id],
      );
      const resource = await core.settled(id);
      assert.deepEqual([resource.status, resource.run], ['COMPLETED', 1]);
      assert.equal(worker.arrived.filter((step) => step.message.resource.id === id).length, 1);
      assert.equal((await send(core.base, name)).body.id, id);
      assert.equal(await claims(), 0);
    };

    it('each is carried out once: unread and uncommitted ones when they are repeated, committed ones never again', async () => {
      const [unread, uncommitted, unanswered] = ['half sent', 'uncommitted', 'unanswered'] as const;
      const begun = request(`${base}/api/v1/resources`, {
        method: 'POST',
        headers: { ...headersOf(unread), 'content-type': 'multipart/form-data; boundary=limit' },
      }).on('error', () => undefined);
      begun.write('--limit\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe text');
      await eventually(async () => (await claims()) === 1);
      await gates.close('insert', uncommitted);
      await gates.close('commit', unanswered);
      const inFlight = [uncommitted, unanswered].map(sendUnanswered);
      await eventually(() => gates.isReached('insert', uncommitted));
      await eventually(() => gates.isReached('commit', unanswered));
      await toDatabase.set('deafen');
      await gates.open('commit', unanswered);
      const { id } = await eventually(async () => {
        const rows: { id: string }[] = await database.db('resources').where({ name: unanswered });
        return rows[0];
      });
      await api.kill9();
      await gates.open('insert', uncommitted);
      assert.deepEqual(await Promise.all(inFlight), ['cut off', 'cut off']);
      assert.equal(await claims(), 2);

      assert.equal((await send(core.base, unanswered)).body.id, id);
      const again = [await sendAgain(unread), await sendAgain(uncommitted)].map((resource) => resource.id);
      await wasDoneOnce(unanswered, id);
      await wasDoneOnce(unread, again[0]);
      await wasDoneOnce(uncommitted, again[1]);
      // The one that had stored the file of the uncommitted request is dead.
      await assertNothingHalfStored(core.deps, { orphansAllowed: 1 });
    });
  });
});
