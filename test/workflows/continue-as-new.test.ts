import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { runWorkflowId } from '../../core/ids.js';
import { findTemporal } from '../../runtime/embedded/temporal/binary.js';
import { connectTemporal, temporalReachable } from '../../runtime/temporal/connection.js';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { reservePort } from '../support/servers/ports.js';

/** A server that suggests a new history after so many events; a real one does after 4,096. */
const longestHistory = 20;
const stepCount = isFull ? 50 : 18;
/** The step during which a run is cancelled. */
const last = isFull ? 30 : 10;
/** Histories that these make at least. */
const leastHistories = isFull ? { whole: 6, cancelled: 4 } : { whole: 3, cancelled: 2 };

describe('a run too long for one history', () => {
  let server: ChildProcess;
  let core: TestCore;
  let worker: HttpWorker;
  let site: RemoteSite;
  let connection: Connection;
  let stopWorker: () => Promise<void>;
  const attempts = new Map<string, number>();

  before(async () => {
    const port = await reservePort();
    const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
    const limit = `limit.historyCount.suggestContinueAsNew=${longestHistory}`;
    const args = [`--port=${port}`, '--ip=127.0.0.1', '--headless', '--log-level=error'];
    server = spawn(binary, ['server', 'start-dev', ...args, '--dynamic-config-value', limit], {
      stdio: 'ignore',
    });
    const address = `127.0.0.1:${port}`;
    const config = { address, namespace: 'default', apiKey: null, tls: null, uiUrl: null };
    const temporal = await connectTemporal(config);
    await eventually(() => temporalReachable(temporal.connection, config.namespace));
    await temporal.close();
    site = await startRemoteSite();
    const env = {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: config.namespace,
      KW_URL_ALLOW: site.host,
    };
    [core, worker] = await Promise.all([startCore({ plugins: [], env }), startHttpWorker()]);
    connection = await Connection.connect({ address });
    const far = { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint };
    const near = { id: 'near', name: 'Near', kind: 'activity', task_queue: 'near', activity_type: 'work' };
    for (const plugin of [far, near]) assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    const bounds = { max_attempts: 3, backoff_seconds: 0, timeout_seconds: 600 };
    const steps = Array.from({ length: stepCount }, (_, index) => ({
      plugin_id: index % 2 === 0 ? 'far' : 'near',
      ...bounds,
    }));
    await core.pipeline('long', ...(steps as [(typeof steps)[0]]));
    await core.pipeline('fetched', { plugin_id: 'far' });
    stopWorker = await startAuthorsWorker(core, 'near', {
      work({ resource_id: id, step_index: index }: { resource_id: string; step_index: number }) {
        const first = isFirst(id, index);
        if (first && index % 6 === 1) throw new Error('not yet');
        return { artifacts: [{ type: `step-${index}`, content_type: 'text', content: 'near' }] };
      },
    });
  });
  after(async () => {
    await stopWorker();
    await connection.close();
    await core.stop();
    await Promise.all([worker.stop(), site.stop()]);
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  const isFirst = (id: string, index: number): boolean => {
    const key = `${id} ${index}`;
    attempts.set(key, (attempts.get(key) ?? 0) + 1);
    return attempts.get(key) === 1;
  };
  const client = (): Client => new Client({ connection });
  /** How many events each history of a run has, the newest first. */
  const histories = async (id: string): Promise<number[]> => {
    const lengths: number[] = [];
    let runId: string | undefined;
    do {
      const { events = [] } = await client().workflow.getHandle(runWorkflowId(id, 1), runId).fetchHistory();
      lengths.push(events?.length ?? 0);
      runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
    } while (runId !== '');
    return lengths;
  };

  it('continues in others, with every outcome of its steps once', async () => {
    worker.handle = (step) => {
      const { message } = step;
      const { id } = message.resource;
      const index = message.step_index;
      const content = { type: `step-${index}`, content_type: 'text', content: 'far' };
      const first = isFirst(id, index);
      if (first && index % 6 === 0) return { status: 503 };
      if (index % 4 === 0) return { status: 200, body: { status: 'SUCCESS', artifact: content } };
      void worker.report(step, { status: 'SUCCESS', artifact: content });
      return { status: 202 };
    };
    const { id } = await core.upload('long');
    const { status, steps, artifacts } = await core.settled(id);
    assert.equal(status, 'COMPLETED');
    assert.deepEqual(
      artifacts.map(({ type }: { type: string }) => type).sort(),
      Array.from({ length: stepCount }, (_, index) => `step-${index}`).sort(),
    );
    // An activity that claims nothing has the attempts that somebody saw pending.
    for (const { index, attempt } of steps)
      assert.ok(
        [index % 6 === 0 ? 2 : 1, index % 6 === 1 ? 2 : 0].includes(attempt),
        `step ${index}: ${attempt}`,
      );
    for (let index = 0; index < stepCount; index += 1)
      assert.equal(attempts.get(`${id} ${index}`), index % 6 <= 1 ? 2 : 1, `step ${index}`);
    const lengths = await histories(id);
    assert.ok(lengths.length >= leastHistories.whole, `${lengths.length} histories`);
    assert.ok(Math.max(...lengths) < 3 * longestHistory, `histories of ${lengths.join(', ')} events`);
  });

  it('continues in others while its source cannot be fetched', async () => {
    worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
    site.handle = () => undefined;
    const source = { kind: 'URL', url: `${site.url}/page` };
    const { body } = await core.call('POST', '/resources', { name: 'page', type: 'fetched', source });
    const handle = client().workflow.getHandle(body.workflow_id);
    const interrupted = ApplicationFailure.nonRetryable('stopping', 'KW_INTERRUPTED');
    await eventually(async () => {
      const { pendingActivities } = (await handle.describe()).raw;
      const fetching = pendingActivities?.find(({ activityType }) => activityType?.name === 'fetchSource');
      if (fetching?.activityId != null)
        await client()
          .activity.fail({ workflowId: body.workflow_id, activityId: fetching.activityId }, interrupted)
          .catch(() => undefined);
      return (await histories(body.id)).length > 1;
    });
    site.handle = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('page');
    const { status } = await core.settled(body.id);
    assert.equal(status, 'COMPLETED');
  });

  it('is cancelled in any of its histories', async () => {
    worker.handle = ({ message }) =>
      message.step_index === last ? { status: 202 } : { status: 200, body: { status: 'SUCCESS' } };
    const { id } = await core.upload('long');
    await eventually(async () => {
      const { body } = await core.call('GET', `/resources/${id}`);
      return body.steps[last].waiting_for?.kind === 'callback';
    });
    assert.equal((await core.call('POST', `/resources/${id}/cancel`)).status, 202);
    const { status, steps } = await core.settled(id);
    assert.equal(status, 'CANCELLED');
    assert.deepEqual(
      steps.slice(last).map((step: { status: string }) => step.status),
      Array(stepCount - last).fill('CANCELLED'),
    );
    assert.ok((await histories(id)).length >= leastHistories.cancelled);
    await eventually(() => worker.cancellations(id).length === 1);
  });
});
