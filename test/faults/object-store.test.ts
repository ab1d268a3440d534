import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { startIndexer, type Indexer } from '../../activities/search/indexer.js';
import type { PluginContext } from '@knowledge-warehouse/plugin';
import { extractText } from '../../plugins/extract-text/index.js';
import { checkSearch } from '../../cli/operations/doctor/search.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';
import {
  assertUnavailable as assertAllUnavailable,
  idsOf,
  refusals,
  startLoad,
} from '../support/network/outage.js';
import { proxyTo, type Proxy } from '../support/network/proxy.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { s3Settings, startS3, type TestS3 } from '../support/servers/s3.js';
import { assertNothingHalfStored } from '../support/stores/stored-objects.js';

const mebibyte = 1024 * 1024;
/** Larger than a part of an upload, and of several parts. */
const [large, severalParts] = isFull ? [20 * mebibyte, 60 * mebibyte] : [9 * mebibyte, 24 * mebibyte];
const [cutsAtLeast, searchesAtOnce] = isFull ? [40, 1_000] : [6, 30];
/** Seconds of silence after which a request to the store is given up; it is made three times. */
const patience = 1;

describe('the object store', () => {
  let s3: TestS3;
  let proxy: Proxy;
  let core: TestCore;
  let worker: HttpWorker;
  let site: RemoteSite;
  let work: (ctx: PluginContext<unknown>) => Promise<void>;

  before(async () => {
    [s3, worker, site] = await Promise.all([startS3(), startHttpWorker(), startRemoteSite()]);
    proxy = await proxyTo(s3.endpoint);
    const env = {
      ...s3Settings(s3, `http://${proxy.address}`),
      KW_S3_TIMEOUT_SECONDS: `${patience}`,
      KW_URL_ALLOW: site.host,
      KW_MAX_ARTIFACT_BYTES: String(64 * mebibyte),
    };
    core = await startCore({ plugins: [notePlugin((ctx) => work(ctx))], env });
    await core.call('POST', '/plugins', { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 1 });
    await core.pipeline('repeated', { plugin_id: 'note', max_attempts: 9, backoff_seconds: 0.1 });
    await core.pipeline('far', { plugin_id: 'far', max_attempts: 1 });
  });
  beforeEach(() => {
    work = (ctx) => emitNote(ctx, `of ${ctx.resource.id}`);
    worker.arrived.length = 0;
  });
  afterEach(() => proxy.set('pass'));
  after(async () => {
    await core.stop();
    await worker.stop();
    await site.stop();
    await proxy.stop();
    await s3.stop();
  });

  const register = (bytes = 10, type = 'noted'): Promise<Answer> =>
    core.register(type, new Uint8Array(bytes));
  const countResources = async (): Promise<number> => (await core.deps.db('resources')).length;
  const assertUnavailable = (...answers: readonly Answer[]): void =>
    assertAllUnavailable('STORAGE_UNAVAILABLE', answers);
  const storeIsReady = async (): Promise<boolean> => {
    const response = await fetch(`${core.base}/health/ready`);
    const { checks } = (await response.json()) as { checks: { object_store: { status: string } } };
    return response.ok && checks.object_store.status === 'ok';
  };
  const nothingIsHalfWritten = (orphansAllowed = 0): Promise<void> =>
    assertNothingHalfStored(core.deps, { orphansAllowed });
  /** The next file is taken and processed, and no more is left of those that were not than could not be withdrawn. */
  const recovers = async (orphansAllowed = 0): Promise<void> => {
    await proxy.set('pass');
    const { status, body } = await register();
    assert.equal(status, 201);
    assert.equal((await core.settled(body.id)).status, 'COMPLETED');
    await eventually(storeIsReady);
    await nothingIsHalfWritten(orphansAllowed);
  };

  it('down during an upload: 503, no row; the next one works', async () => {
    const before = await countResources();
    await proxy.set('refuse');
    await assert.rejects(fetch(`http://${proxy.address}`));
    for (const bytes of [10, large]) assertUnavailable(await register(bytes));
    assert.equal(await countResources(), before);
    await eventually(async () => !(await storeIsReady()));
    await recovers();
  });

  it('failing in the middle of an upload: 503, no row', async () => {
    const before = await countResources();
    const answer = register(severalParts);
    // A part is on its way to the store.
    const cut = await eventually(() => proxy.cut() || false, { intervalMs: 5 });
    await proxy.set('refuse');
    assertUnavailable(await answer);
    assert.ok(cut > 0);
    assert.equal(await countResources(), before);
    // Its parts, once begun, cannot be withdrawn.
    await recovers(1);
  });

  for (const [what, mode, orphansAllowed] of [
    ['taking connections and saying nothing', 'hang', 0],
    // It keeps the small file, and begins the parts of the large one at each of three tries.
    ['hearing all and never answering', 'deafen', 1 + 3],
  ] as const)
    it(`${what} at uploads: 503 in bounded time, no row`, async () => {
      const before = await countResources();
      const caught = proxy.caught();
      await proxy.set(mode);
      const begun = Date.now();
      const answers = Promise.all([10, large].map((bytes) => register(bytes)));
      await eventually(async () => !(await storeIsReady()));
      // What does not need it is served meanwhile.
      assert.equal((await core.call('GET', '/resources?limit=1')).status, 200);
      assertUnavailable(...(await answers));
      const tookMs = Date.now() - begun;
      // It is asked three times, and as often to withdraw what it was sent.
      assert.ok(tookMs >= 1_000 * patience && tookMs < 6_000 * patience + 30_000, `${tookMs} ms`);
      assert.ok(proxy.caught() > caught, 'nothing was asked of it');
      assert.equal(await countResources(), before);
      await recovers(orphansAllowed);
    });

  // One that refuses connections is noticed in the same way, but sooner.
  it('silent when an artifact is written: the step continues when it recovers, and no attempt is used up', async () => {
    let failed = 0;
    work = async (ctx) => {
      if (failed === 0) await proxy.set('hang');
      try {
        await emitNote(ctx, `attempt ${ctx.attempt.number}`);
      } catch (error) {
        failed++;
        throw error;
      }
    };
    const { objectStore } = core.deps;
    const check = objectStore.check.bind(objectStore);
    let checks = 0;
    objectStore.check = () => (checks++, check());
    const { id } = await core.upload('noted');
    // The attempt has seen that the store is away.
    await eventually(() => failed > 0 && checks > 1);
    objectStore.check = check;
    const { body: waiting } = await core.call('GET', `/resources/${id}`);
    assert.equal(waiting.status, 'PROCESSING');
    assert.match(waiting.steps[0].progress.message, /^Waiting for the object store/);
    await proxy.set('pass');
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 1]);
    const { items } = (await core.call('GET', `/resources/${id}/attempts`)).body;
    const outcomes = items.map(({ outcome }: { outcome: string }) => outcome).sort();
    assert.deepEqual(outcomes, ['SUCCESS', 'SUPERSEDED']);
    await nothingIsHalfWritten();
  });

  it('away when a URL is fetched: the run says why it waits, and continues when it recovers', async () => {
    site.handle = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x');
    await proxy.set('refuse');
    const source = { kind: 'URL', url: site.url };
    const { body } = await core.call('POST', '/resources', { name: 'page', type: 'noted', source });
    await eventually(async () => {
      const { steps } = (await core.call('GET', `/resources/${body.id}`)).body;
      const message = 'The object store cannot be used at the moment. The URL will be fetched again.';
      return steps[0].waiting_for?.kind === 'fetch' && steps[0].waiting_for.message === message;
    });
    await proxy.set('pass');
    assert.equal((await core.settled(body.id)).status, 'COMPLETED');
    await nothingIsHalfWritten();
  });

  it('down during a report: 503, and the attempt stays open until the worker reports again', async () => {
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

  it('silent when a worker answers with its report: recorded when it recovers, and not made again', async () => {
    worker.handle = async () => {
      await proxy.set('hang');
      const artifact = { type: 'note', content_type: 'text', content: 'x' };
      return { status: 200, body: { status: 'SUCCESS', artifact } };
    };
    const { id } = await core.upload('far');
    const { status } = await eventually(async () => {
      const { body } = await core.call('GET', `/resources/${id}`);
      const message = 'Waiting for the object store, which cannot be used.';
      return (body.status !== 'PROCESSING' || body.steps[0].progress?.message === message) && body;
    });
    assert.equal(status, 'PROCESSING');
    await proxy.set('pass');
    const resource = await core.settled(id);
    assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 1]);
    assert.deepEqual([resource.steps[0].attempt, worker.arrived.length], [1, 1]);
    await nothingIsHalfWritten();
  });

  it('with high latency: slower; disconnected repeatedly: at worst 503', async () => {
    await proxy.set({ delayMs: 200 });
    const begun = Date.now();
    const slow = await register();
    assert.equal(slow.status, 201);
    assert.ok(Date.now() - begun >= 200, `${Date.now() - begun} ms`);
    await proxy.set('pass');

    // A store that answers again right after a failed request was not away, so the attempt is used up.
    const load = startLoad(() => register(mebibyte / 2, 'repeated'));
    let cuts = 0;
    // The pauses between the cuts become longer, so that an upload succeeds between two of them.
    await eventually(() => {
      cuts += proxy.cut();
      return cuts >= cutsAtLeast && idsOf(load.answers).length > 0;
    });
    await load.end();
    assertUnavailable(...refusals(load.answers));
    const ids = idsOf(load.answers);
    for (const id of ids) assert.equal((await core.settled(id)).status, 'COMPLETED');
    const failed: unknown[] = await core.deps
      .db('attempts')
      .whereIn('resource_id', ids)
      .whereNot({ outcome: 'SUCCESS' });
    // The store may have kept a file or an artifact whose sender did not hear of it.
    await recovers(refusals(load.answers).length + failed.length);
  });

  it('that returns invalid responses: 503', async () => {
    const nonsense = createServer((socket) => {
      socket.on('error', () => undefined).write('SSH-2.0-OpenSSH\r\n', () => socket.destroySoon());
    });
    await proxy.set('refuse');
    nonsense.listen(Number(proxy.address.split(':')[1]), '127.0.0.1');
    await once(nonsense, 'listening');
    try {
      assertUnavailable(await register());
    } finally {
      nonsense.close();
      await once(nonsense, 'close');
    }
    await recovers();
  });
});

describe('the bucket of the search index', () => {
  let s3: TestS3;
  let proxy: Proxy;
  let core: TestCore;
  let indexer: Indexer;

  before(async () => {
    s3 = await startS3();
    proxy = await proxyTo(s3.endpoint);
    const env = {
      ...s3Settings(s3, `http://${proxy.address}`),
      KW_S3_TIMEOUT_SECONDS: `${patience}`,
      KW_SEARCH_URI: `lancedb:s3://${s3.bucket}/search`,
    };
    core = await startCore({ plugins: [extractText], env });
    indexer = startIndexer(core.deps);
    await core.pipeline('text', { plugin_id: 'extract-text' });
  });
  after(async () => {
    await proxy.set('pass');
    proxy.cut();
    await indexer.stop();
    await core.stop();
    await proxy.stop();
    await s3.stop();
  });

  it('that never responds: 503 in bounded time, later searches fail at once, and recovery', async () => {
    const ask = (): Promise<Answer> => core.call('POST', '/search', { q: 'lighthouse' });
    const took = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      const begun = performance.now();
      return [await work(), performance.now() - begun];
    };
    const { id } = await core.upload('text', 'The lighthouse keeper');
    await core.settled(id);
    const isFound = async (): Promise<boolean> => (await ask()).body.items?.[0]?.resource.id === id;
    await eventually(isFound);

    await proxy.set('hang');
    const diagnosed = checkSearch(core.deps.db, core.deps.config);
    const [first, firstMs] = await took(() => eventually(async () => (await ask()).status === 503 && ask()));
    /** The last answer of three, and the shortest time. */
    const quickest = async (work: () => Promise<Answer>): Promise<[Answer, number]> => {
      const all = [await took(work), await took(work), await took(work)] as const;
      return [all[2][0], Math.min(...all.map(([, ms]) => ms))];
    };
    const [later, laterMs] = await quickest(ask);
    const [status, statusMs] = await quickest(() => core.call('GET', '/search/status'));
    for (const { status: code, body } of [first, later])
      assert.deepEqual([code, body.error.code], [503, 'SEARCH_UNAVAILABLE']);
    assert.deepEqual(
      [status.body.available, status.body.problem],
      [false, 'The storage of the search index does not answer.'],
    );
    const many = await Promise.all(Array.from({ length: searchesAtOnce }, ask));
    assert.ok(many.every(({ status: code }) => code === 503));
    assert.ok(Math.max(laterMs, statusMs) < firstMs / 3, `${firstMs}, ${laterMs}, ${statusMs} ms`);
    const doctor = await diagnosed;
    assert.deepEqual(
      [doctor.status, doctor.message],
      ['warn', 'The storage of the search index does not answer.'],
    );
    assert.doesNotMatch(doctor.remedy ?? '', /rebuild/);
    assert.equal((await core.call('GET', `/resources/${id}`)).status, 200);

    await proxy.set('pass');
    await eventually(isFound);
  });
});
