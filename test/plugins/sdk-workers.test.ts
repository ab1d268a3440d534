import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signMessage } from '../../core/wire/signing.js';
import type { StepMessage } from '../../core/wire/step.js';
import {
  definePlugin,
  runActivityWorker,
  runHttpWorker,
  type ActivityWorkerOptions,
  type AnyPlugin,
  type ContentStream,
  type HttpWorkerOptions,
} from '../../plugins/sdk/index.js';
import { createApiKey } from '../../storage/api-keys.js';
import { startCore, type TestCore } from '../support/core.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/temporary.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What the plugin saw, by the text of the resource it worked on. */
const runs: { readonly text: string; readonly attempt: number }[] = [];
const aborted: string[] = [];
const cleanedUp: string[] = [];
let begun = 0;
let letGo = (): void => undefined;

async function* paragraphs(): ContentStream & AsyncGenerator<string> {
  await Promise.resolve();
  for (let at = 0; at < 40; at++) {
    yield 'x'.repeat(64 * 1024);
    // A character that stands in two pieces.
    yield '\ud83d';
    yield '\ude00';
  }
}

async function* halfOfIt(): ContentStream & AsyncGenerator<string> {
  await Promise.resolve();
  yield '{"a": [1, 2';
}

/** One definition, for both kinds of worker. What it does is the resource's text. */
const probe = definePlugin({
  id: 'probe',
  name: 'Probe',
  version: '1.0.0',
  configSchema: {
    type: 'object',
    properties: { factor: { type: 'number', default: 2 } },
    additionalProperties: false,
  } as const,
  produces: ['note', 'facts', 'embedding', 'long', 'stream'],
  heartbeatSeconds: 1,
  async run(ctx) {
    begun++;
    const wanted = await text(await ctx.source.stream());
    runs.push({ text: wanted, attempt: ctx.attempt.number });
    switch (wanted) {
      case 'emit':
        await ctx.emit({ type: 'note', content_type: 'text', content: 'grüße', metadata: { a: 1 } });
        await ctx.emit({ type: 'facts', content_type: 'json', content: { factor: ctx.config.factor } });
        await ctx.emit({
          type: 'embedding',
          content_type: 'vector',
          content: [
            [0.5, 1],
            [2, 3],
          ],
        });
        await ctx.emit({ type: 'long', content_type: 'text', content: 'é'.repeat(200_000) });
        await ctx.emit({ type: 'stream', content_type: 'text', content: paragraphs() });
        break;
      case 'reject':
        return ctx.fail('NO_GOOD', 'It is no good.', { retryable: false, details: { why: 'test' } });
      case 'later':
        if (ctx.attempt.number === 1) ctx.fail('BUSY', 'Later.', { retryAfterSeconds: 1.5 });
        break;
      case 'broken':
        await ctx.emit({ type: 'note', content_type: 'vector', content: [Number.NaN] });
        break;
      case 'half':
        await ctx.emit({ type: 'facts', content_type: 'json', content: halfOfIt() });
        break;
      case 'stubborn':
        await new Promise<void>((resolve) => (letGo = resolve));
        break;
      case 'unread':
        await ctx.inputs.text('nothing');
        break;
      case 'first-waits':
      case 'wait':
        if (wanted === 'first-waits' && ctx.attempt.number > 1) break;
        ctx.progress(0.25, 'a quarter');
        ctx.progress(0.5, 'half');
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
        aborted.push(wanted);
        ctx.signal.throwIfAborted();
    }
  },
  cleanup(ctx) {
    cleanedUp.push(ctx.resource.id);
    return Promise.resolve();
  },
});

interface RunningWorker {
  stop(): Promise<void>;
}

describe('a plugin in a worker of its own', () => {
  let core: TestCore;
  let secretsFolder: string;
  const bounds = { max_attempts: 3, backoff_seconds: 0.1, timeout_seconds: 30 };

  const start = (
    run: (plugins: readonly AnyPlugin[], options: ActivityWorkerOptions & HttpWorkerOptions) => Promise<void>,
    plugin: AnyPlugin,
    options: HttpWorkerOptions = {},
  ): RunningWorker => {
    const stopping = new AbortController();
    const running = run([plugin], {
      url: core.base,
      apiKey: core.adminKey,
      temporal: { address: core.deps.config.temporal.address },
      port: 0,
      secretsFolder,
      graceSeconds: 1,
      log: silent,
      signal: stopping.signal,
      ...options,
    });
    running.catch(() => undefined);
    return {
      stop: async () => {
        stopping.abort();
        await running;
      },
    };
  };
  const startProbe = (kind: string, port = 0): RunningWorker =>
    start(
      kind === 'activity' ? runActivityWorker : runHttpWorker,
      { ...probe, id: kind },
      {
        port,
      },
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
        await core.pipeline(`${kind}-slowly`, { plugin_id: kind, ...bounds, backoff_seconds: 1.5 });
      });
      after(() => worker.stop());
      beforeEach(() => {
        runs.length = 0;
        aborted.length = 0;
        cleanedUp.length = 0;
      });

      it('hands over artifacts of every kind and size', async () => {
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

      for (const [text, attempts, code] of [
        ['reject', 1, 'NO_GOOD'],
        ['broken', 1, 'INVALID_RESULT'],
        ['half', 1, 'INVALID_RESULT'],
        ['unread', 1, 'MISSING_INPUT'],
      ] as const) {
        it(`fails at once with ${code}: ${text}`, async () => {
          const { id } = await core.upload(kind, text);
          const { status, error } = await core.settled(id);
          assert.deepEqual([status, error.code, runs.length], ['FAILED', code, attempts]);
          if (code === 'NO_GOOD') {
            assert.deepEqual((await stepOf(id)).error, {
              code,
              message: 'It is no good.',
              details: { why: 'test' },
            });
          }
        });
      }

      it('is tried again when it asks for it, not before the pause it asks for', async () => {
        const began = Date.now();
        const { id } = await core.upload(kind, 'later');
        assert.equal((await core.settled(id)).status, 'COMPLETED');
        assert(Date.now() - began >= 1_500);
        assert.deepEqual(
          runs.map(({ attempt }) => attempt),
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
        assert.deepEqual([error.code, runs.length], ['INVALID_CONFIG', 0]);
      });

      it('shows its progress, lives beyond its heartbeat, and hears of a cancellation', async () => {
        const { id } = await core.upload(kind, 'wait');
        await eventually(async () => (await stepOf(id)).progress?.fraction === 0.5);
        const { started_at } = await stepOf(id);
        await eventually(() => Date.now() - Date.parse(started_at) > 2_500);
        assert.deepEqual([(await stepOf(id)).status, (await stepOf(id)).attempt], ['RUNNING', 1]);
        await core.call('POST', `/resources/${id}/cancel`);
        assert.equal((await core.settled(id)).status, 'CANCELLED');
        await eventually(() => aborted.length === 1, { timeoutMs: 5_000 });
        assert.equal(runs.length, 1);
      });

      it('stops in the middle of a step, which the next worker does anew', async () => {
        const { endpoint } = (await core.call('GET', `/plugins/${kind}`)).body;
        const { id } = await core.upload(`${kind}-slowly`, 'first-waits');
        await eventually(() => runs.length === 1);
        await worker.stop();
        assert.equal(aborted.length, 1);
        if (kind === 'http') {
          await eventually(async () => (await stepOf(id)).error?.code === 'WORKER_STOPPED', {
            timeoutMs: 1_000,
          });
        }
        worker = startProbe(kind, Number(new URL(endpoint ?? 'http://none:1').port));
        const resource = await core.settled(id);
        assert.equal(resource.status, 'COMPLETED');
        // An activity's interruption costs no attempt: one more is allowed.
        assert.equal(resource.steps[0].max_attempts, kind === 'activity' ? 4 : 3);
      });

      it('removes what it keeps elsewhere when a resource is deleted', async () => {
        const { id } = await core.upload(kind, 'emit');
        await core.settled(id);
        assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
        await eventually(() => cleanedUp.includes(id));
      });

      it('leaves nothing of a resource that was deleted while the plugin went on', async () => {
        const { id } = await core.upload(kind, 'stubborn');
        await eventually(() => runs.length === 1);
        await core.call('POST', `/resources/${id}/cancel`);
        assert.equal((await core.settled(id)).status, 'CANCELLED');
        assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
        await eventually(() => cleanedUp.length === 1);
        letGo();
        await eventually(() => cleanedUp.length === 2);
        assert.deepEqual(cleanedUp, [id, id]);
      });
    });
  }

  describe('an HTTP worker', () => {
    let worker: RunningWorker;
    let network: Server;
    let base: string;
    const delivered: { readonly body: string; readonly headers: Record<string, string> }[] = [];

    const send = async (path: string, body: string, headers: Record<string, string>): Promise<number> =>
      (await fetch(base + path, { method: 'POST', body, headers })).status;
    const secretOf = (id: string): string => readFileSync(join(secretsFolder, id), 'utf8').trim();
    const sign = (message: object, now = Date.now()): [string, Record<string, string>] => {
      const body = JSON.stringify(message);
      return [body, signMessage([secretOf('signed')], body, undefined, now)];
    };

    before(async () => {
      // A network between Core and the worker that brings everything twice.
      network = createServer((request, response) => {
        void (async () => {
          const body = await text(request);
          const headers = Object.fromEntries(
            Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-')),
          ) as Record<string, string>;
          delivered.push({ body, headers });
          const [status] = await Promise.all([
            send('/signed', body, headers),
            send('/signed', body, headers),
          ]);
          response.writeHead(status).end();
        })();
      });
      network.listen(0, '127.0.0.1');
      await once(network, 'listening');
      const endpoint = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
      const port = await freePort();
      base = `http://127.0.0.1:${port}`;
      worker = start(
        runHttpWorker,
        { ...probe, id: 'signed' },
        {
          endpoint,
          port,
          concurrency: 1,
        },
      );
      await eventually(() => existsSync(join(secretsFolder, 'signed')));
      await core.pipeline('signed', { plugin_id: 'signed', ...bounds });
    });
    beforeEach(() => {
      begun = 0;
      runs.length = 0;
      cleanedUp.length = 0;
    });
    after(async () => {
      await worker.stop();
      network.close();
    });

    it('works once on a step that comes twice, and again after it is done', async () => {
      const { id } = await core.upload('signed', 'emit');
      assert.equal((await core.settled(id)).status, 'COMPLETED');
      const [first] = delivered;
      assert.equal(await send('/signed', first!.body, first!.headers), 202);
      assert.equal(begun, 1);
    });

    it('takes nothing whose signature does not match or is old', async () => {
      const [body, headers] = sign({ protocol: 'kw.cleanup/1', plugin: { id: 'signed', config: {} } });
      const [, old] = sign(JSON.parse(body) as object, Date.now() - 301_000);
      const forged = signMessage(['whsec_c29tZSBvdGhlciBzZWNyZXQ='], body);
      for (const wrong of [{}, old, forged]) assert.equal(await send('/signed', body, wrong), 401);
      assert.equal(await send('/signed', body.replace('signed', 'other'), headers), 401);
      assert.deepEqual(cleanedUp, []);
    });

    it('does not begin a step that was cancelled before it came', async () => {
      const { body } = delivered[0]!;
      const step = JSON.parse(body) as StepMessage;
      const { resource, run, step_index } = step;
      const attempt = { ...step.attempt, number: 77 };
      const cancel = { protocol: 'kw.cancel/1', resource: { id: resource.id }, run, step_index, attempt: 77 };
      assert.equal(await send('/signed', ...sign(cancel)), 202);
      assert.equal(await send('/signed', ...sign({ ...step, attempt })), 202);
      assert.equal(begun, 0);
    });

    it('has steps wait for their turn, and says so', async () => {
      const [first, second] = [await core.upload('signed', 'wait'), await core.upload('signed', 'wait')];
      const waiting = await eventually(async () => {
        for (const [id, other] of [
          [first.id, second.id],
          [second.id, first.id],
        ]) {
          if ((await stepOf(id)).progress?.message?.startsWith('Waits for its turn')) return { id, other };
        }
        return undefined;
      });
      assert.equal(runs.length, 1);
      await core.call('POST', `/resources/${waiting.other}/cancel`);
      await eventually(async () => (await stepOf(waiting.id)).progress?.message === 'half');
      await core.call('POST', `/resources/${waiting.id}/cancel`);
      await core.settled(waiting.id);
    });

    it('refuses what it does not know', async () => {
      assert.equal(await send('/signed', ...sign({ protocol: 'kw.step/2' })), 400);
      assert.equal(await send('/signed', 'x'.repeat(4 * 1024 * 1024 + 1), {}), 413);
      assert.equal((await fetch(`${base}/signed`)).status, 405);
      assert.equal((await fetch(`${base}/health`)).status, 200);
    });

    it('keeps its secret to itself, and says what to do where it is lost', async () => {
      assert.equal(statSync(join(secretsFolder, 'signed')).mode & 0o777, 0o600);
      const { key } = await createApiKey(core.deps.db, { name: 'worker', scopes: ['plugin:signed'] });
      const plugin = { ...probe, id: 'signed' } as AnyPlugin;
      const { endpoint } = (await core.call('GET', '/plugins/signed')).body;
      const lost = runHttpWorker([plugin], {
        url: core.base,
        apiKey: key,
        port: 0,
        endpoint: endpoint.replace('/signed', ''),
        secretsFolder: temporaryFolder(),
        log: silent,
      });
      await assert.rejects(lost, /KW_SIGNING_SECRET.*admin key/);
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
