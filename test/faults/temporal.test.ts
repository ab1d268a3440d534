import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { signal } from '../../runtime/embedded/process-identity.js';
import { findTemporal } from '../../runtime/embedded/temporal/binary.js';
import { startTemporalServer, type EmbeddedTemporal } from '../../runtime/embedded/temporal/server.js';
import { temporalReachable } from '../../runtime/temporal/connection.js';
import { atExit } from '../support/at-exit.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';
import { proxyTo, type Proxy } from '../support/network/proxy.js';
import { assertRepairs } from '../support/service/repairs.js';
import { temporaryFolder } from '../support/temporary.js';

/** How long an outage lasts: some rounds of the sweeps, or many. */
const awaySeconds = isFull ? 60 : 6;
const cutsAtLeast = isFull ? 12 : 5;

describe('Temporal', () => {
  let server: EmbeddedTemporal;
  let proxy: Proxy;
  let core: TestCore;
  let connection: Connection;
  const ran: string[] = [];
  const paths = dataPaths(temporaryFolder());

  const startServer = async (): Promise<void> => {
    const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
    server = await startTemporalServer(binary, 'default', paths, keptPorts(paths.ports), {
      portWaitMs: 10_000,
    });
    const { identity } = server.daemon;
    atExit(() => signal(identity, 'SIGKILL', 'group'));
  };

  before(async () => {
    await startServer();
    proxy = await proxyTo(server.address);
    const plugin = notePlugin(async (ctx) => {
      ran.push(ctx.resource.id);
      await emitNote(ctx, 'done');
    });
    core = await startCore({
      plugins: [plugin],
      env: {
        TEMPORAL_ADDRESS: proxy.address,
        TEMPORAL_NAMESPACE: 'default',
        KW_TEMPORAL_TIMEOUT_SECONDS: '3',
        KW_LEASE_SECONDS: '3',
      },
    });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 10, backoff_seconds: 0.2 });
    connection = Connection.lazy({ address: server.address });
  });
  afterEach(() => proxy.set('pass'));
  after(async () => {
    await core.stop();
    await connection.close();
    await proxy.stop();
    await server.stop();
  });

  const upload = async (): Promise<{ id: string; workflow_id: string }> => {
    const resource = await core.upload('noted');
    assert.equal(resource.status, 'PROCESSING');
    return resource;
  };
  const startOf = async (id: string): Promise<{ last_error: string | null } | undefined> =>
    await core.deps.db('outbox').where({ resource_id: id, kind: 'START' }).first();
  /** The same while Temporal must not learn of it yet: its message is still being retried when the answer is 201. */
  const uploadUnheard = async (): Promise<{ id: string; workflow_id: string }> => {
    const resource = await upload();
    assert.equal((await startOf(resource.id))?.last_error, null);
    return resource;
  };
  /** It was processed once: one run, one workflow, one attempt, one artifact. */
  const wasProcessedOnce = async (id: string): Promise<void> => {
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.run, resource.artifacts.length], ['COMPLETED', 1, 1]);
    const { body } = await core.call('GET', `/resources/${id}/runs`);
    assert.equal(body.items.length, 1);
    const executions = await eventually(async () => {
      const found: string[] = [];
      for await (const { workflowId } of new Client({ connection }).workflow.list({
        query: `KwResourceId = '${id}'`,
      }))
        found.push(workflowId);
      return found.length > 0 && found;
    });
    assert.deepEqual(executions, [resource.workflow_id]);
  };
  const ready = async (): Promise<{ status: number; body: any }> => {
    const response = await fetch(`${core.base}/health/ready`);
    return { status: response.status, body: await response.json() };
  };

  it(`killed before resources are registered, and down for ${awaySeconds} s: 201 at once, processed after recovery`, async () => {
    signal(server.daemon.identity, 'SIGKILL', 'group');
    await eventually(async () => !(await temporalReachable(connection, 'default', 500)));

    const resources = [await uploadUnheard(), await uploadUnheard(), await uploadUnheard()];
    const { status, body } = await ready();
    assert.deepEqual([status, body.error.code], [503, 'TEMPORAL_UNAVAILABLE']);
    assert.deepEqual(
      Object.entries<{ status: string }>(body.checks).map(([name, check]) => [name, check.status]),
      [
        ['postgresql', 'ok'],
        ['temporal', 'error'],
        ['object_store', 'ok'],
      ],
    );
    // So long after the last of them was registered, all are still to be told, and it says why.
    await eventually(
      async () => {
        const starts = await core.deps
          .db('outbox')
          .whereIn(
            'resource_id',
            resources.map(({ id }) => id),
          )
          .whereNotNull('last_error')
          .whereRaw(`created_at < now() - interval '${awaySeconds} seconds'`);
        return starts.length === resources.length;
      },
      { intervalMs: 500 },
    );
    assert.equal((await ready()).status, 503);
    const [step] = (await core.call('GET', `/resources/${resources[0]!.id}`)).body.steps;
    assert.match(
      step.waiting_for.message,
      /could not be sent to Temporal and .*: Temporal cannot be reached/,
    );

    await startServer();
    await eventually(async () => (await ready()).status === 200);
    for (const { id } of resources) await core.settled(id);
    for (const { id } of resources) await wasProcessedOnce(id);
    assert.deepEqual(await core.deps.db('outbox'), []);
    await assertRepairs(core.deps.db, 'run_started', 3);
    assert.deepEqual(ran.sort(), resources.map(({ id }) => id).sort());
  });

  it('accepts a start whose response is lost: sent again by two sweepers at once, it is one run', async () => {
    // What it hands to a deaf worker is missed only ten seconds later.
    await core.stopWorker();
    await core.stopSweeps();
    await proxy.set('deafen');
    const { id, workflow_id } = await upload();
    const handle = new Client({ connection }).workflow.getHandle(workflow_id);
    await eventually(async () => (await handle.describe()).status.name === 'RUNNING');
    const { runId } = (await handle.describe()).raw.workflowExecutionInfo!.execution!;
    assert.notEqual(await startOf(id), undefined, 'somebody knows that it was started');

    await proxy.set('pass');
    assert.ok(proxy.cut() > 0);
    // Who sent it first still waits for its answer; its lease is over.
    await core.deps
      .db('outbox')
      .where({ resource_id: id })
      .update({ leased_until: null, due_at: new Date() });
    await Promise.all([core.deps.outbox.sweep(), core.deps.outbox.sweep(), core.deps.outbox.sweep()]);
    core.startSweeps();
    await core.startWorker();
    await eventually(async () => (await startOf(id)) === undefined);
    await wasProcessedOnce(id);
    assert.equal((await handle.describe()).raw.workflowExecutionInfo!.execution!.runId, runId);
    assert.equal(ran.filter((each) => each === id).length, 1);
  });

  it('with high latency, and disconnected repeatedly: slower, and everything is processed', async () => {
    await proxy.set({ delayMs: 200 });
    const slow = await upload();
    await core.settled(slow.id);
    await proxy.set('pass');

    let cuts = 0;
    const made: string[] = [];
    while (cuts < cutsAtLeast) {
      made.push((await upload()).id);
      cuts += proxy.cut();
      await pause(50 + Math.random() * 200);
    }
    for (const id of [slow.id, ...made]) await wasProcessedOnce(id);
  });

  it('that accepts connections but never responds: requests still get responses', async () => {
    const { id } = await upload();
    await core.settled(id);
    await proxy.set('hang');
    const before = proxy.caught();
    const resource = await uploadUnheard();
    assert.equal((await core.call('GET', `/resources/${resource.id}`)).status, 200);
    await eventually(async () => (await ready()).body.checks.temporal.status === 'error');
    assert.ok(proxy.caught() > before, 'nothing was asked of Temporal');
    await proxy.set('pass');
    proxy.cut();
    await wasProcessedOnce(resource.id);
  });
});
