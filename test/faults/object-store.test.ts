import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { definePlugin, type PluginContext } from '../../plugins/sdk/index.js';
import { sweepOrphans } from '../../storage/orphans.js';
import { startCore, type Answer, type TestCore } from '../support/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/http-worker.js';
import { proxyTo, type Proxy } from '../support/proxy.js';
import { startS3, type TestS3 } from '../support/s3.js';

const mebibyte = 1024 * 1024;

describe('the object store', () => {
  let s3: TestS3;
  let proxy: Proxy;
  let core: TestCore;
  let worker: HttpWorker;
  let work: (ctx: PluginContext<unknown>) => Promise<void>;

  before(async () => {
    [s3, worker] = await Promise.all([startS3(), startHttpWorker()]);
    proxy = await proxyTo(s3.endpoint);
    const plugin = definePlugin({
      id: 'note',
      name: 'Note',
      version: '1.0.0',
      configSchema: { type: 'object' },
      produces: ['note'],
      run: (ctx) => work(ctx),
    });
    const env = {
      KW_S3_ENDPOINT: `http://${proxy.address}`,
      KW_S3_REGION: s3.region,
      KW_S3_BUCKET: s3.bucket,
      KW_S3_ACCESS_KEY_ID: s3.accessKeyId,
      KW_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      KW_MAX_ARTIFACT_BYTES: String(64 * mebibyte),
    };
    core = await startCore({ plugins: [plugin], env });
    await core.call('POST', '/plugins', { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 100, backoff_seconds: 0.2 });
    await core.pipeline('far', { plugin_id: 'far', max_attempts: 1 });
  });
  beforeEach(() => {
    work = (ctx) => ctx.emit({ type: 'note', content_type: 'text', content: `of ${ctx.resource.id}` });
    worker.arrived.length = 0;
  });
  afterEach(() => proxy.set('pass'));
  after(async () => {
    await core.stop();
    await worker.stop();
    await proxy.stop();
    await s3.stop();
  });

  const register = async (bytes = 10): Promise<Answer> => {
    const form = new FormData();
    form.set('name', 'A file');
    form.set('type', 'noted');
    form.set('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
    return await core.call('POST', '/resources', form);
  };
  const countResources = async (): Promise<number> => (await core.deps.db('resources')).length;
  const assertUnavailable = ({ status, body, headers }: Answer): void => {
    assert.deepEqual([status, body.error?.code], [503, 'STORAGE_UNAVAILABLE']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  };
  /** Rows and objects agree, once what was left to the sweeps is gone. */
  const nothingIsHalfWritten = async (): Promise<void> => {
    const { db, objectStore } = core.deps;
    await sweepOrphans(db, objectStore, {
      after: null,
      limit: 100_000,
      before: new Date(Date.now() + 60_000),
    });
    await eventually(async () => {
      const stored: string[] = [];
      for await (const { key } of objectStore.list('resources/')) stored.push(key);
      const owned: string[][] = await Promise.all([
        db('resources').pluck('object_key'),
        db('artifacts').pluck('object_key'),
      ]);
      assert.deepEqual(stored.sort(), owned.flat().sort());
      return true;
    });
  };

  it('away at an upload: 503, no row; the next one works', async () => {
    const before = await countResources();
    await proxy.set('refuse');
    await assert.rejects(fetch(`http://${proxy.address}`));
    for (const bytes of [10, 20 * mebibyte]) assertUnavailable(await register(bytes));
    assert.equal(await countResources(), before);
    await proxy.set('pass');
    const { status, body } = await register();
    assert.equal(status, 201);
    assert.equal((await core.settled(body.id)).status, 'COMPLETED');
    await nothingIsHalfWritten();
  });

  it('going away in the middle of an upload: 503, no row', async () => {
    const before = await countResources();
    let cut = 0;
    const form = new FormData();
    form.set('name', 'A file');
    form.set('type', 'noted');
    form.set('file', new Blob([new Uint8Array(60 * mebibyte)]), 'file.bin');
    const answer = core.call('POST', '/resources', form);
    // A part is on its way to the store.
    cut = await eventually(() => proxy.cut() || false, { intervalMs: 5 });
    await proxy.set('refuse');
    assertUnavailable(await answer);
    assert.ok(cut > 0);
    assert.equal(await countResources(), before);
    await proxy.set('pass');
    await nothingIsHalfWritten();
  });

  it('away when an artifact is written: the step is tried again until it is back', async () => {
    let failed = 0;
    work = async (ctx) => {
      if (ctx.attempt.number === 1) await proxy.set('refuse');
      try {
        await ctx.emit({ type: 'note', content_type: 'text', content: `attempt ${ctx.attempt.number}` });
      } catch (error) {
        failed++;
        throw error;
      }
    };
    const { id } = await core.upload('noted');
    const retrying = await eventually(async () => {
      const { body } = await core.call('GET', `/resources/${id}`);
      return body.steps[0]?.status === 'RETRYING' && body.steps[0];
    });
    assert.deepEqual([failed > 0, retrying.error.code], [true, 'STORAGE_UNAVAILABLE']);
    await proxy.set('pass');
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 1]);
    await nothingIsHalfWritten();
  });

  it('away at a report: 503, and the attempt stays open until the worker reports again', async () => {
    worker.handle = () => ({ status: 202 });
    const { id } = await core.upload('far');
    const step = await eventually(() => worker.arrived[0]);
    const report = { status: 'SUCCESS', artifact: { type: 'note', content_type: 'text', content: 'x' } };
    await proxy.set('refuse');
    const refused = await worker.report(step, report);
    assert.deepEqual([refused.status, refused.body['error'].code], [503, 'STORAGE_UNAVAILABLE']);
    const sent = await worker.upload(step, { type: 'note', content_type: 'text' }, 'y'.repeat(100));
    assert.deepEqual([sent.status, sent.body['error'].code], [503, 'STORAGE_UNAVAILABLE']);
    assert.equal((await core.call('GET', `/resources/${id}`)).body.status, 'PROCESSING');
    await proxy.set('pass');
    assert.deepEqual((await worker.report(step, report)).body, {
      accepted: true,
      duplicate: false,
      cancel_requested: false,
    });
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 1]);
    await nothingIsHalfWritten();
  });

  it('far away: slower; cut off again and again: 503 at worst', async () => {
    await proxy.set({ delayMs: 200 });
    const begun = Date.now();
    const slow = await register();
    assert.equal(slow.status, 201);
    assert.ok(Date.now() - begun >= 200, `${Date.now() - begun} ms`);
    await proxy.set('pass');

    const answers: Answer[] = [];
    let cuts = 0;
    let over = false;
    const callers = [1, 2, 3].map(async () => {
      while (!over) answers.push(await register(2 * mebibyte));
    });
    await eventually(() => (cuts += proxy.cut()) >= 40, { intervalMs: 20 });
    over = true;
    await Promise.all(callers);
    for (const answer of answers) if (answer.status !== 201) assertUnavailable(answer);
    const made = answers.filter(({ status }) => status === 201);
    assert.ok(made.length > 0);
    await eventually(async () => (await register()).status === 201);
    for (const { body } of made) assert.equal((await core.settled(body.id)).status, 'COMPLETED');
    await nothingIsHalfWritten();
  });

  it('that answers with nonsense: 503', async () => {
    const nonsense = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH\r\n'));
    const port = Number(proxy.address.split(':')[1]);
    await proxy.set('refuse');
    nonsense.listen(port, '127.0.0.1');
    await once(nonsense, 'listening');
    try {
      assertUnavailable(await register());
    } finally {
      nonsense.close();
    }
  });
});
