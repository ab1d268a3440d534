import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import type { Answer } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import {
  startHttpWorker,
  type ArrivedStep,
  type HttpWorker,
  type WorkerReply,
} from '../support/workers/http-worker.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { startStack, type TestStack } from '../support/service/stack.js';
import { describeEmbeddedTemporal } from './embedded-temporal.js';
import { describeKilledOperation } from './killed-operation.js';

const done = (content: string): WorkerReply => ({
  status: 200,
  body: { status: 'SUCCESS', artifact: { type: 'note', content_type: 'text', content } },
});

describe('npm start', () => {
  let stack: TestStack;
  let client: RestClient;
  let worker: HttpWorker;

  before(async () => {
    worker = await startHttpWorker();
    stack = await startStack();
    client = createRestClient(stack);
    const plugin = { id: 'notes', name: 'Notes', kind: 'http', endpoint: worker.endpoint };
    await client.expect(201, 'POST', '/plugins', plugin);
    const bounds = { backoff_seconds: 0.2, timeout_seconds: 120 };
    const pipeline = (trigger_type: string, ...steps: object[]): Promise<unknown> =>
      client.expect(201, 'POST', '/pipelines', { name: trigger_type, trigger_type, steps });
    await pipeline('patient', { plugin_id: 'notes', max_attempts: 100, ...bounds });
    await pipeline('once', { plugin_id: 'notes', max_attempts: 1, ...bounds });
    await pipeline(
      'file',
      { plugin_id: 'extract-text', max_attempts: 100, ...bounds },
      { plugin_id: 'chunk-text', max_attempts: 100, ...bounds },
    );
  });
  beforeEach(() => {
    worker.arrived.length = 0;
  });
  after(async () => {
    await stack.stop();
    await worker.stop();
  });

  const get = (id: string): Promise<Answer['body']> => client.expect(200, 'GET', `/resources/${id}`);
  const typesOf = (resource: Answer['body']): string[] =>
    resource.artifacts.map((artifact: { type: string }) => artifact.type).sort();

  /** Holds the first attempt's request open, as long as Core does; what comes later is done at once. */
  const holdFirstAttempt = (): void => {
    worker.handle = ({ message }) =>
      message.attempt.number === 1 ? undefined : done(`of attempt ${message.attempt.number}`);
  };
  /** Waits until a step is in the middle of its first attempt. */
  const inTheMiddle = async (id: string): Promise<ArrivedStep> => {
    const step = await eventually(() => worker.arrived.find(({ message }) => message.resource.id === id));
    const { status, steps } = await get(id);
    assert.deepEqual([status, steps[0].status, steps[0].attempt], ['PROCESSING', 'RUNNING', 1]);
    return step;
  };
  const kill = (name: 'api' | 'worker'): number => {
    const pid = stack.stack().processes[name]!;
    process.kill(pid, 'SIGKILL');
    return pid;
  };

  describeEmbeddedTemporal(() => stack);

  describe('whose parts are killed', () => {
    it('the worker, while two plugins are working: each step is repeated, and every artifact exists once', async () => {
      holdFirstAttempt();
      const { id: held } = await client.upload('patient', { text: 'hello' });
      await inTheMiddle(held);
      const { id: read } = await client.upload('file', { fixture: 'handbook.pdf' });
      await eventually(
        async () => {
          const { steps } = await get(read);
          assert.notEqual(steps[0].status, 'COMPLETED', 'too late');
          // Only a worker that claimed the attempt says how far it is.
          return steps[0].progress !== null && steps[0].attempt === 1;
        },
        { intervalMs: 5 },
      );
      const pid = kill('worker');

      const note = await client.settled(held);
      assert.deepEqual([note.status, note.run, note.steps[0].attempt], ['COMPLETED', 1, 2]);
      assert.deepEqual(typesOf(note), ['note']);
      assert.equal((await client.artifact(note, 'note')).content, 'of attempt 2');
      assert.deepEqual(
        worker.arrived.map(({ message }) => message.attempt.number),
        [1, 2],
      );
      const file = await client.settled(read);
      assert.equal(file.status, 'COMPLETED', JSON.stringify(file.error));
      // Another attempt was needed: the first was in the middle.
      assert.deepEqual([file.run, file.steps[0].attempt, file.steps[1].attempt], [1, 2, 1]);
      assert.deepEqual(typesOf(file), ['chunks', 'metadata', 'text']);
      assert.match((await client.artifact(file, 'text')).content, /Section 130\.3 applies/);
      assert.notEqual(stack.stack().processes['worker'], pid);
    });

    // Every run kills one in `test/faults/killed-api`, before Temporal was told of what it answered.
    if (isFull)
      it('the API, right after it answered 201: every resource is processed, once', async function () {
        worker.handle = () => done('once');
        const ids: string[] = [];
        for (let round = 0; round < 4; round++) {
          const { id } = await client.upload('once', { text: `round ${round}` });
          const pid = kill('api');
          ids.push(id);
          await eventually(
            async () =>
              stack.stack().processes['api'] !== pid && (await fetch(`${stack.api}/health/live`)).ok,
          );
        }
        const { temporal_address: address } = stack.stack();
        const connection = await Connection.connect({ address });
        try {
          for (const id of ids) {
            const resource = await client.settled(id);
            assert.deepEqual([resource.status, resource.run], ['COMPLETED', 1]);
            assert.deepEqual(typesOf(resource), ['note']);
            assert.equal((await client.expect(200, 'GET', `/resources/${id}/runs`)).items.length, 1);
            assert.equal(worker.arrived.filter(({ message }) => message.resource.id === id).length, 1);
            const workflows = await eventually(async () => {
              const found = await workflowsOf(connection, id);
              return found.length > 0 && found;
            });
            assert.deepEqual(workflows, [resource.workflow_id]);
          }
        } finally {
          await connection.close();
        }
      });

    it('everything: the next start finds everything unchanged, and continues', async () => {
      const { id: completed } = await client.upload('file', { text: 'Done before.' });
      assert.equal((await client.settled(completed)).status, 'COMPLETED');
      holdFirstAttempt();
      const { id: inFlight } = await client.upload('patient', { text: 'in flight' });
      await inTheMiddle(inFlight);
      const { items } = await client.expect(200, 'GET', '/resources?status=COMPLETED');
      const everything = (): Promise<unknown[]> =>
        Promise.all([
          client.expect(200, 'GET', '/pipelines'),
          // Its worker goes on answering.
          client
            .expect(200, 'GET', '/plugins/notes')
            .then((plugin) => ({ ...plugin, last_seen_at: null, deliveries: null })),
          ...items.map(async ({ id }: Answer['body']) => {
            const resource = await get(id);
            return [
              resource,
              await Promise.all(typesOf(resource).map((type) => client.artifact(resource, type))),
            ];
          }),
        ]);
      const before = await everything();
      assert.ok(items.some(({ id }: Answer['body']) => id === completed));

      const { adminKey, dataDir, port } = stack;
      const { supervisor, ...others } = stack.stack().processes;
      const killed = stack.kill9();
      for (const pid of Object.values(others)) process.kill(pid, 'SIGKILL');
      await killed;

      stack = await startStack({ dataDir, port });
      assert.equal(stack.adminKey, adminKey);
      assert.notEqual(stack.stack().processes['supervisor'], supervisor);
      const resource = await client.settled(inFlight);
      assert.deepEqual([resource.status, resource.run, typesOf(resource)], ['COMPLETED', 1, ['note']]);
      assert.equal((await client.artifact(resource, 'note')).content, 'of attempt 2');
      assert.deepEqual(await everything(), before);
    });
  });

  describeKilledOperation(() => stack);
});

async function workflowsOf(connection: Connection, resourceId: string): Promise<string[]> {
  const ids: string[] = [];
  const query = `KwResourceId = "${resourceId}"`;
  for await (const { workflowId } of new Client({ connection }).workflow.list({ query }))
    ids.push(workflowId);
  return ids;
}
