import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { runWorkflowId } from '../../core/ids.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { proxyTo, type Proxy } from '../support/network/proxy.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { assertNothingHalfStored, objectsBelow } from '../support/stores/stored-objects.js';

/** Events that ten minutes without a database may cost a run. */
const mostEvents = 20;
/** Milliseconds that the database is away at least. */
const leastAwayMs = isFull ? 600_000 : 0;
const fetches = 3;
/** A single attempt of seconds: whatever an outage costs would fail the resource. */
const once = { max_attempts: 1, backoff_seconds: 0 };

describe('a database that is down during runs', function () {
  this.timeout(leastAwayMs + 300_000);
  let database: TestDatabase;
  let proxy: Proxy;
  let core: TestCore;
  let worker: HttpWorker;
  let site: RemoteSite;
  let temporal: Connection;
  let client: Client;
  let isSlowRunning = false;
  /** What waits for the outage goes on once it has begun. */
  let beginOutage = (): void => undefined;
  const isAway = new Promise<void>((resolve) => (beginOutage = resolve));

  before(async () => {
    [database, worker, site] = await Promise.all([createDatabase(), startHttpWorker(), startRemoteSite()]);
    proxy = await proxyTo(database.url);
    const url = new URL(database.url);
    url.host = proxy.address;
    const plugin = notePlugin(async (ctx) => {
      if ((await ctx.source.buffer()).toString() === 'slow') {
        isSlowRunning = true;
        await isAway;
      }
      await emitNote(ctx, 'noted');
    });
    core = await startCore({
      plugins: [plugin],
      database: { url: url.href },
      env: { KW_URL_ALLOW: site.host, KW_LOG_LEVEL: 'fatal' },
    });
    await core.call('POST', '/plugins', {
      id: 'remote',
      name: 'Remote',
      kind: 'http',
      endpoint: worker.endpoint,
    });
    await core.call('POST', '/plugins', {
      id: 'beating',
      name: 'Beating',
      kind: 'http',
      endpoint: worker.endpoint,
      heartbeat_seconds: 2,
    });
    await core.pipeline('noted', { plugin_id: 'note', ...once, timeout_seconds: 10 });
    await core.pipeline('reported', { plugin_id: 'remote', ...once, timeout_seconds: 10 });
    await core.pipeline('beaten', { plugin_id: 'beating', ...once, timeout_seconds: 60 });
    const { address, namespace } = core.deps.config.temporal;
    temporal = await Connection.connect({ address });
    client = new Client({ connection: temporal, namespace });
  });
  after(async () => {
    await proxy.set('pass');
    await core.stop();
    await Promise.all([temporal.close(), worker.stop(), site.stop(), proxy.stop()]);
    await database.drop();
  });

  const handleOf = (id: string) => client.workflow.getHandle(runWorkflowId(id, 1));
  const eventsOf = async (id: string, run = 1): Promise<number> =>
    (await client.workflow.getHandle(runWorkflowId(id, run)).describe()).historyLength;
  /** Those of a run whose workflow has ended, which is a moment after the resource has. */
  const allEventsOf = async (id: string, run: number): Promise<number> => {
    await client.workflow.getHandle(runWorkflowId(id, run)).result();
    return await eventsOf(id, run);
  };
  /** How often the server has had a run ask for what is next. */
  const triesOf = async (id: string): Promise<number> => {
    const { raw } = await handleOf(id).describe();
    const pending = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'advanceRun');
    return pending?.attempt ?? 0;
  };
  /** Those of a run of the same kind without an outage. */
  const usualEventsOf = async (id: string): Promise<number> => {
    const again = await core.call('POST', `/resources/${id}/reprocess`);
    assert.equal(again.status, 202);
    await core.settled(id);
    return await allEventsOf(id, again.body.run);
  };
  const addUrl = async (path: string): Promise<string> => {
    const source = { kind: 'URL', url: site.url + path };
    const { status, body } = await core.call('POST', '/resources', { name: path, type: 'noted', source });
    assert.equal(status, 201);
    return body.id;
  };

  it('costs no attempt, no fetched source, no object, and few events', async () => {
    let asked = 0;
    site.handle = (_request, response) => {
      asked += 1;
      void isAway.then(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('fetched'));
    };
    worker.handle = (step) => {
      const report = async (): Promise<boolean> =>
        (await worker.report(step, { status: 'SUCCESS' })).status !== 503;
      // Until the outage, this worker sends heartbeats, however long the preparations take.
      const beat = (): void => {
        if (step.message.plugin.id === 'beating')
          worker.report(step, { status: 'PROGRESS', progress: {} }).catch(() => undefined);
      };
      const beats = setInterval(beat, 500);
      void isAway.then(() => {
        clearInterval(beats);
        return eventually(report, { timeoutMs: leastAwayMs + 90_000 });
      });
      return { status: 202 };
    };
    const fetched = await Promise.all(Array.from({ length: fetches }, (_, index) => addUrl(`/${index}`)));
    const { id: beaten } = await core.upload('beaten');
    await eventually(() => asked === fetches && worker.arrived.length === 1);
    // Their time runs from here on.
    const { id: slow } = await core.upload('noted', 'slow');
    const { id: reported } = await core.upload('reported');
    const waits = (kind: string) => async () => {
      const answers = await Promise.all([reported, beaten].map((id) => core.call('GET', `/resources/${id}`)));
      return answers.every(({ body }: Answer) => body.steps[0].waiting_for?.kind === kind);
    };
    await eventually(waits('callback'));
    await eventually(() => isSlowRunning);

    await proxy.set('refuse');
    const away = performance.now();
    beginOutage();
    // The bytes are stored, which cannot be recorded. The run whose deadline passes asks, first by itself, then through the server.
    await eventually(async () => (await objectsBelow(core.deps)).length >= fetches + 3);
    await eventually(async () => (await triesOf(reported)) >= 2);
    const during = await eventsOf(reported);
    await eventually(async () => (await triesOf(reported)) >= 4 && performance.now() - away >= leastAwayMs, {
      timeoutMs: leastAwayMs + 90_000,
    });
    assert.equal(await eventsOf(reported), during, 'events grow with the length of the outage');
    await proxy.set('pass');
    await eventually(async () => (await core.call('GET', '/resources')).status === 200);

    const settled = await Promise.all([...fetched, slow, reported, beaten].map((id) => core.settled(id)));
    assert.deepEqual(
      settled.map(({ error }) => error),
      settled.map(() => null),
    );
    assert.ok(settled.every(({ status }) => status === 'COMPLETED'));
    assert.equal(asked, fetches, 'a source was fetched twice');
    // The usual runs must not reach a deadline, however busy the machine is.
    const { body: pipelines } = await core.call('GET', '/pipelines');
    const { id } = pipelines.items.find((each: { name: string }) => each.name === 'reported');
    const steps = [{ plugin_id: 'remote', ...once, timeout_seconds: 60 }];
    const changed = await core.call('PUT', `/pipelines/${id}`, { steps });
    assert.equal(changed.status, 200);
    const costs = await Promise.all(
      [...fetched, slow, reported, beaten].map(
        async (id) => (await allEventsOf(id, 1)) - (await usualEventsOf(id)),
      ),
    );
    assert.ok(Math.max(...costs) <= mostEvents, `events: ${costs.join(', ')}`);
    await assertNothingHalfStored(core.deps);
  });
});
