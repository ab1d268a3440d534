import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { runWorkflowId } from '../../core/ids.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { bundleWith, sdk } from '../support/service/workflow-bundle.js';

/** Two builds of the workflows. The second begins each run with a pause, behind a marker. */
const builds = {
  a: resolve('dist/workflow-bundle.js'),
  b: bundleWith(`if ((0, ${sdk}.patched)("pause first")) await (0, ${sdk}.sleep)(1);`),
};

describe('an upgrade of the workers', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let connection: Connection;
  let client: Client;
  let build: keyof typeof builds = 'a';

  before(async () => {
    [core, worker] = await Promise.all([
      startCore({ plugins: [], bundle: () => builds[build] }),
      startHttpWorker(),
    ]);
    const { address, namespace } = core.deps.config.temporal;
    connection = await Connection.connect({ address });
    client = new Client({ connection, namespace });
    const plugin = { id: 'http', name: 'HTTP', kind: 'http', endpoint: worker.endpoint };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('two-steps', { plugin_id: 'http' }, { plugin_id: 'http' });
  });
  after(async () => {
    await connection.close();
    await core.stop();
    await worker.stop();
  });

  /** Begins a run whose first step waits for its report. */
  const begin = async (): Promise<string> => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('two-steps');
    await eventually(async () => {
      const { body } = await core.call('GET', `/resources/${id}`);
      return body.steps[0].waiting_for?.kind === 'callback';
    });
    return id;
  };

  /** Reports the first step of a run; the reply of the worker completes the second. */
  const report = async (id: string): Promise<void> => {
    worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
    const step = worker.arrived.find(({ message }) => message.resource.id === id);
    assert.equal((await worker.report(step!, { status: 'SUCCESS' })).status, 200);
  };

  /** The builds that worked on a run, its markers, and whether a task of it failed. */
  const readHistory = async (
    id: string,
  ): Promise<{ builds: number; isMarked: boolean; hasFailed: boolean }> => {
    const { events = [] } = await client.workflow.getHandle(runWorkflowId(id, 1)).fetchHistory();
    const buildIds = (events ?? []).map(
      ({ workflowTaskCompletedEventAttributes: done }) =>
        done?.deploymentVersion?.buildId ?? done?.workerVersion?.buildId,
    );
    return {
      builds: new Set(buildIds.filter(Boolean)).size,
      isMarked: (events ?? []).some(
        ({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch',
      ),
      hasFailed: (events ?? []).some(({ workflowTaskFailedEventAttributes: failed }) => failed !== null),
    };
  };

  it('continues a run that the previous build started', async () => {
    const id = await begin();
    build = 'b';
    await core.restartWorker();
    await report(id);
    assert.equal((await core.settled(id, 60_000)).status, 'COMPLETED');
    assert.deepEqual(await readHistory(id), { builds: 2, isMarked: false, hasFailed: false });
  });

  it('uses the new code for a run that starts after it', async () => {
    const id = await begin();
    await report(id);
    assert.equal((await core.settled(id, 60_000)).status, 'COMPLETED');
    assert.deepEqual(await readHistory(id), { builds: 1, isMarked: true, hasFailed: false });
  });
});
