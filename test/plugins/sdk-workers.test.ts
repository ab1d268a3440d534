import assert from 'node:assert/strict';
import { runActivityWorker, runHttpWorker } from '@knowledge-warehouse/plugin';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/temporary.js';
import { probe, seen, startWorker, type RunningWorker } from './support/probe.js';

const bounds = { max_attempts: 3, backoff_seconds: 0.1, timeout_seconds: 30 };

describe('a plugin in its own worker', () => {
  let core: TestCore;
  let secretsFolder: string;

  const startProbe = (kind: string, port = 0): RunningWorker =>
    startWorker(
      kind === 'activity' ? runActivityWorker : runHttpWorker,
      { ...probe, id: kind },
      { core, secretsFolder, port },
    );
  const stepOf = async (id: string): Promise<any> =>
    (await core.call('GET', `/resources/${id}`)).body.steps[0];

  before(async () => {
    core = await startCore({ plugins: [] });
    secretsFolder = temporaryFolder();
  });
  after(() => core.stop());

  for (const kind of ['activity', 'http']) {
    describe(`as a worker of the kind ${kind}`, () => {
      let worker: RunningWorker;
      before(async () => {
        worker = startProbe(kind);
        await eventually(async () => (await core.call('GET', `/plugins/${kind}`)).status === 200);
        await core.pipeline(kind, { plugin_id: kind, ...bounds });
        await core.pipeline(`${kind}-twice`, { plugin_id: kind, ...bounds }, { plugin_id: kind, ...bounds });
        await core.pipeline(`${kind}-slowly`, { plugin_id: kind, ...bounds, backoff_seconds: 1.5 });
      });
      after(() => worker.stop());
      beforeEach(() => {
        seen.forget();
      });

      it('transfers artifacts of every kind and size', async () => {
        const { id } = await core.upload(kind, 'emit');
        const resource = await core.settled(id);
        assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
        const contents: Record<string, unknown> = {};
        for (const artifact of resource.artifacts) {
          const { body } = await core.call('GET', `/resources/${id}/artifacts/${artifact.id}`);
          contents[artifact.type] = body.content;
          if (artifact.type === 'note') assert.deepEqual(artifact.metadata, { a: 1 });
        }
        assert.deepEqual(contents, {
          note: 'grüße',
          facts: { factor: 2 },
          embedding: [
            [0.5, 1],
            [2, 3],
          ],
          long: 'é'.repeat(200_000),
          stream: `${'x'.repeat(64 * 1024)}\u{1f600}`.repeat(40),
        });
      });

      it('sees the metadata of its inputs', async () => {
        const { id } = await core.upload(`${kind}-twice`, 'inputs');
        const resource = await core.settled(id);
        assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
        const facts = resource.artifacts.find(({ type }: { type: string }) => type === 'facts');
        const { body } = await core.call('GET', `/resources/${id}/artifacts/${facts.id}`);
        assert.deepEqual(body.content, {
          inputs: [{ type: 'note', metadata: { pages: [{ number: 1, start: 0 }] } }],
        });
      });

      const failures = [
        ['reject', 1, 'NO_GOOD'],
        ['unreachable', 3, 'STEP_FAILED'],
      ] as const;
      // Found by code that both kinds share, so one kind is enough.
      const foundByCommonCode = [
        ['broken', 1, 'INVALID_RESULT'],
        ['half', 1, 'INVALID_RESULT'],
        ['unread', 1, 'MISSING_INPUT'],
        ['untyped', 1, 'STEP_FAILED'],
      ] as const;
      for (const [text, attempts, code] of kind === 'http' ? [...failures, ...foundByCommonCode] : failures) {
        it(`fails with ${code}: ${text}`, async () => {
          const { id } = await core.upload(kind, text);
          const { status, error } = await core.settled(id);
          assert.deepEqual([status, error.code, seen.runs.length], ['FAILED', code, attempts]);
          const { message } = error;
          if (text === 'untyped') assert.equal(message, '42');
          if (text === 'unreachable') assert.equal(message, 'The model is down: connect ECONNREFUSED');
          if (code === 'NO_GOOD') {
            assert.deepEqual((await stepOf(id)).error, {
              code,
              message: 'It is no good.',
              details: { why: 'test' },
            });
          }
        });
      }

      it('is retried if it asks for it, but not before the pause it asks for', async () => {
        const began = Date.now();
        const { id } = await core.upload(kind, 'later');
        assert.equal((await core.settled(id)).status, 'COMPLETED');
        assert(Date.now() - began >= 1_500);
        assert.deepEqual(
          seen.runs.map(({ attempt }) => attempt),
          [1, 2],
        );
      });

      it('fails an attempt whose config does not match', async () => {
        const put = (config: object): Promise<unknown> =>
          core.call('PUT', `/plugins/${kind}/config`, { config });
        await put({ factor: 'two' });
        const { id } = await core.upload(kind, 'emit');
        const { error } = await core.settled(id);
        await put({});
        assert.deepEqual([error.code, seen.runs.length], ['INVALID_CONFIG', 0]);
      });

      it('shows its progress, lives past its heartbeat, and is told of a cancellation', async () => {
        const { id } = await core.upload(kind, 'wait');
        await eventually(async () => (await stepOf(id)).progress?.fraction === 0.5);
        const { started_at } = await stepOf(id);
        await eventually(() => Date.now() - Date.parse(started_at) > 2_500);
        assert.deepEqual([(await stepOf(id)).status, (await stepOf(id)).attempt], ['RUNNING', 1]);
        await core.call('POST', `/resources/${id}/cancel`);
        assert.equal((await core.settled(id)).status, 'CANCELLED');
        await eventually(() => seen.aborted.length === 1);
        assert.equal(seen.runs.length, 1);
      });

      it('stops in the middle of a step, which the next worker repeats', async () => {
        const { endpoint } = (await core.call('GET', `/plugins/${kind}`)).body;
        const { id } = await core.upload(`${kind}-slowly`, 'first-waits');
        await eventually(() => seen.runs.length === 1);
        await worker.stop();
        assert.equal(seen.aborted.length, 1);
        if (kind === 'http') {
          await eventually(async () => (await stepOf(id)).error?.code === 'WORKER_STOPPED');
        }
        worker = startProbe(kind, Number(new URL(endpoint ?? 'http://none:1').port));
        const resource = await core.settled(id);
        assert.equal(resource.status, 'COMPLETED');
        // An activity's interruption costs no attempt: one more is allowed.
        assert.equal(resource.steps[0].max_attempts, kind === 'activity' ? 4 : 3);
      });

      it('removes what it stores elsewhere when a resource is deleted', async () => {
        const { id } = await core.upload(kind, 'emit');
        await core.settled(id);
        assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
        await eventually(() => seen.cleanedUp.includes(id));
      });

      it('leaves nothing of a resource that was deleted while the plugin continued', async () => {
        const { id } = await core.upload(kind, 'stubborn');
        await eventually(() => seen.runs.length === 1);
        await core.call('POST', `/resources/${id}/cancel`);
        assert.equal((await core.settled(id)).status, 'CANCELLED');
        assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
        await eventually(() => seen.cleanedUp.length === 1);
        seen.letGo();
        await eventually(() => seen.cleanedUp.length === 2);
        assert.deepEqual(seen.cleanedUp, [id, id]);
      });
    });
  }
});
