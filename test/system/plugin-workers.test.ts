import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { watchMemory } from '../support/memory.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { startStack, type TestStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';
import { startWorkerProcess, type WorkerProcess } from '../support/workers/worker-process.js';
import { describeExamples } from './examples.js';
import { describeHostileSources, settingsFor } from './hostile-sources.js';

const mib = 1024 * 1024;
/** More than any process may grow by while it passes. */
const largeMib = isFull ? 200 : 80;
const top = new URL('../..', import.meta.url).pathname;

describe('npm start with an external PostgreSQL, plugin workers and hostile sources', () => {
  let database: TestDatabase;
  let stack: TestStack;
  let client: RestClient;
  const workers = { activity: {} as WorkerProcess, http: {} as WorkerProcess };
  const secrets = temporaryFolder();
  let port: number;
  let site: RemoteSite;

  const start = (kind: 'activity' | 'http'): WorkerProcess =>
    startWorkerProcess(process.execPath, [join(top, 'test/support/workers/serve.mjs'), kind, secrets], {
      cwd: top,
      env: { KW_DATA_DIR: stack.dataDir, PORT: String(port) },
    });

  before(async () => {
    port = await reservePort();
    site = await startRemoteSite();
    database = await createDatabase({ migrated: false });
    stack = await startStack({
      env: { DATABASE_URL: database.url, KW_SECRET: 'a-secret-of-the-operator', ...settingsFor(site) },
    });
    client = createRestClient(stack);
    for (const kind of ['activity', 'http'] as const) {
      workers[kind] = start(kind);
      const bounds = { max_attempts: 50, backoff_seconds: 0.5, timeout_seconds: 600 };
      for (const name of ['stall', 'bulk']) {
        const plugin_id = `${name}-${kind}`;
        await eventually(() => client.expect(200, 'GET', `/plugins/${plugin_id}`));
        const steps = [{ plugin_id, ...bounds }];
        await client.expect(201, 'POST', '/pipelines', { name: plugin_id, trigger_type: plugin_id, steps });
      }
    }
  });
  after(async () => {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    try {
      assert.equal(await stack.stop(), 0);
    } finally {
      await site.stop();
      await database.drop();
    }
  });

  it('starts every part but PostgreSQL', () => {
    const processes = Object.keys(stack.stack().processes).sort();
    assert.deepEqual(processes, ['api', 'supervisor', 'temporal', 'worker']);
  });

  describe('with workers of plugin authors in their own processes', () => {
    for (const kind of ['activity', 'http'] as const) {
      it(`one that is killed as ${kind} worker in the middle of a step is detected long before its time-out`, async () => {
        const { id } = await client.upload(`stall-${kind}`, { text: 'hello' });
        await eventually(async () => {
          const { steps } = await client.expect(200, 'GET', `/resources/${id}`);
          return steps[0].progress?.message === 'attempt 1';
        });
        await workers[kind].kill9();
        workers[kind] = start(kind);
        // Long before the step's timeout of ten minutes.
        const resource = await client.settled(id, 60_000);
        assert.equal(resource.status, 'COMPLETED');
        assert.equal(resource.artifacts.length, 1);
        const { content } = await client.artifact(resource, 'note');
        assert.match(content, /^of attempt [2-9]$/);
      });

      it(`an artifact of ${largeMib} MiB passes from an ${kind} worker through Core, and none holds it in memory`, async () => {
        const warmUp = await client.upload(`bulk-${kind}`, { text: String(8 * mib) });
        assert.equal((await client.settled(warmUp.id)).status, 'COMPLETED');
        const { api = 0, worker = 0 } = stack.stack().processes;
        const memory = watchMemory([workers[kind].pid, api, worker]);
        const { id } = await client.upload(`bulk-${kind}`, { text: String(largeMib * mib) });
        const resource = await client.settled(id);
        assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
        assert.equal(resource.artifacts[0].size_bytes, largeMib * mib);

        const url = `${stack.api}/api/v1/resources/${id}/artifacts/${resource.artifacts[0].id}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${stack.adminKey}` } });
        const hash = createHash('sha256');
        let bytes = 0;
        for await (const chunk of response.body! as ReadableStream<Uint8Array>) {
          bytes += chunk.length;
          hash.update(chunk);
        }
        assert.ok(bytes > largeMib * mib);
        const growth = memory.growth();
        assert.ok(
          growth.every((grown) => grown < 64),
          `MiB that plugin worker, API and Core's worker grew by: ${growth.map(Math.round).join(', ')}`,
        );

        const { temporal_address: address, temporal_namespace: namespace } = stack.stack();
        const connection = await Connection.connect({ address });
        const description = await new Client({ connection, namespace }).workflow
          .getHandle(resource.workflow_id)
          .describe();
        assert.ok((description.historySize ?? Infinity) < 20_000, `${description.historySize} bytes`);
        await connection.close();
      });
    }
  });

  // Afterwards, because the memory of the service has grown to its usual size.
  describeHostileSources(() => ({ stack, site }));
  describeExamples(() => stack);
});
