import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as lancedb from '@lancedb/lancedb';
import { registerVectorsConfig, type RegisterVectorsConfig } from '../../plugins/register-vectors/config.js';
import { createRegisterVectors } from '../../plugins/register-vectors/index.js';
import { createHousekeeping } from '../../plugins/register-vectors/lance-housekeeping.js';
import { schemaOf } from '../../plugins/register-vectors/lance-rows.js';
import { createTable } from '../../plugins/register-vectors/lance-table.js';
import { measureVectors, vectorsIn } from '../../plugins/register-vectors/rows.js';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { runCleanup, runPlugin } from '@knowledge-warehouse/plugin/testing';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { startS3, type TestS3 } from '../support/servers/s3.js';
import { temporaryFolder } from '../support/temporary.js';
import { alpha, beta, failureOf, register, registerVectors, rowsOf } from './support/registrations.js';
import { readLance, stores, type Row, type Store } from './support/vector-stores.js';

describe('register-vectors', () => {
  for (const [name, start] of stores) {
    describe(`in ${name}`, () => {
      let store: Store;
      let collections = 0;
      /** The config of a collection of the test's own. */
      let config: Readonly<Record<string, unknown>> & { readonly collection: string };

      before(async () => {
        store = await start();
      });
      beforeEach(() => {
        config = { ...store.config, collection: `collection-${++collections}` };
      });
      after(() => store.stop());

      const read = (): Promise<Row[] | null> => store.read(config.collection);

      it('stores each chunk with its vector, and reports where', async () => {
        const { artifacts, progress } = await register({ config, count: 12 });
        assert.deepEqual(await read(), rowsOf(alpha, 1, 12));
        assert.deepEqual(artifacts.get('vector_registration')?.content, {
          store: config['vector_store_url'],
          collection: config.collection,
          count: 12,
          dimensions: 3,
        });
        assert.deepEqual(progress.at(-1), [1, '12 of 12 vectors']);
      });

      it('keeps exactly the rows of the last run, and those of other resources', async () => {
        await register({ config, count: 7 });
        await register({ config, count: 4, resourceId: beta });
        await register({ config, count: 3, run: 2 });
        assert.deepEqual(await read(), [...rowsOf(alpha, 2, 3), ...rowsOf(beta, 1, 4)]);
        await register({ config, count: 3, run: 2 });
        await register({ config, count: 5, run: 3 });
        await register({ config, count: 0, run: 2, resourceId: beta });
        assert.deepEqual(await read(), rowsOf(alpha, 3, 5));
      });

      it('keeps the rows of a run although the write of an earlier one arrives late, until that is removed', async () => {
        await register({ config, count: 3, run: 2 });
        await register({ config, count: 2, run: 1 });
        assert.deepEqual(await read(), [...rowsOf(alpha, 1, 2), ...rowsOf(alpha, 2, 3)]);
        await runCleanup(registerVectors, { config, reason: 'ARTIFACTS_REMOVED', run: 1, artifacts: [] });
        assert.deepEqual(await read(), rowsOf(alpha, 2, 3));
      });

      it('cleans up after a resource, and once more', async () => {
        await register({ config, count: 5 });
        await register({ config, count: 2, resourceId: beta });
        for (let times = 0; times < 2; times++) {
          await runCleanup(registerVectors, { config });
          assert.deepEqual(await read(), rowsOf(beta, 1, 2));
        }
      });

      it('cleans up what a run and earlier ones wrote, and nothing that a later run wrote', async () => {
        await register({ config, count: 2 });
        const reason = 'ARTIFACTS_REMOVED';
        await register({ config, count: 2, run: 2 });
        await runCleanup(registerVectors, { config, reason, run: 1 });
        assert.equal((await read())?.length, 2);
        await runCleanup(registerVectors, { config, reason, run: 2 });
        assert.deepEqual(await read(), []);
      });

      it('has nothing to clean up if nothing was ever stored', async () => {
        await runCleanup(registerVectors, { config });
        await register({ config, count: 0 });
        assert.equal(await read(), null);
      });

      it('rejects vectors of another length', async () => {
        await register({ config, count: 2 });
        const failure = await failureOf(register({ config, count: 2, run: 2, dimensions: 4 }));
        assert.deepEqual([failure.code, failure.options.retryable], ['VECTOR_DIMENSIONS_DIFFER', false]);
        assert.match(failure.message, /Existing rows stay in this one\.$/);
        assert.deepEqual(await read(), rowsOf(alpha, 1, 2));
      });

      it('serves several writers that all find no collection', async () => {
        const ids = Array.from({ length: 6 }, (_, index) => `01890a5d-ac96-774b-bcce-b302099a806${index}`);
        const writers = ids.map(() => createRegisterVectors({ defaultFolder: '/' }));
        await Promise.all(
          ids.map((resourceId, index) => register({ config, count: 3, resourceId, plugin: writers[index]! })),
        );
        assert.deepEqual(
          await read(),
          ids.flatMap((id) => rowsOf(id, 1, 3)),
        );
      });

      it('stores thousands of vectors of a typical length', async () => {
        await register({ config, count: 1100, dimensions: 384 });
        assert.equal((await read())?.length, 1100);
        await register({ config, count: 10, run: 2, dimensions: 384 });
        assert.deepEqual(
          (await read())?.map(({ run }) => run),
          Array<number>(10).fill(2),
        );
      });
    });
  }

  describe('when the store is down', () => {
    let away: string;
    before(async () => {
      const site = await startRemoteSite();
      await site.stop();
      away = site.url;
    });

    for (const [name, configOf] of [
      ['Chroma', () => ({ vector_store_url: away })],
      ['S3', () => ({ vector_store_url: 'lancedb:s3://bucket', s3_endpoint: away })],
    ] as const) {
      it(`fails with a retry: ${name}`, async () => {
        const { code, options } = await failureOf(register({ config: configOf(), count: 1 }));
        assert.deepEqual([code, options.retryable], ['VECTOR_STORE_UNAVAILABLE', true]);
        const cleanUp = await failureOf(runCleanup(registerVectors, { config: configOf() }));
        assert.equal(cleanUp.code, 'VECTOR_STORE_UNAVAILABLE');
      });
    }
  });

  for (const [why, expected] of [
    ['CANCELLED', ['sent', 'stored', 'ended']],
    ['WORKER_SHUTDOWN', ['sent', 'ended', 'stored']],
  ] as const) {
    it(`waits for what was sent to Chroma when it is cancelled, but not when its worker stops: ${why}`, async () => {
      const site = await startRemoteSite();
      const events: string[] = [];
      let store = (): void => undefined;
      site.handle = ({ url = '' }, response) => {
        const answer = (): unknown => response.end(JSON.stringify({ id: 'a', dimension: null }));
        if (!url.endsWith('/upsert')) return void answer();
        events.push('sent');
        store = () => {
          events.push('stored');
          answer();
        };
      };
      const attempt = new AbortController();
      const config = { vector_store_url: site.url };
      const ended = failureOf(register({ config, count: 1, signal: attempt.signal }))
        .catch(() => undefined)
        .finally(() => events.push('ended'));
      await eventually(() => events.includes('sent'));
      attempt.abort(new Error(why));
      // What is due to happen at once has happened when another request has been answered.
      await fetch(site.url);
      store();
      await ended;
      await site.stop();
      assert.deepEqual(events, expected);
    });
  }

  describe('a Chroma server', () => {
    let site: RemoteSite;
    /** What it answers to requests, by the last part of their path. */
    let answers: Readonly<Record<string, unknown>>;
    let paths: string[];
    before(async () => {
      site = await startRemoteSite();
      site.handle = ({ url = '' }, response) => {
        paths.push(url.replace(/.*\//, ''));
        response.end(JSON.stringify(answers[paths.at(-1) ?? ''] ?? {}));
      };
    });
    beforeEach(() => (paths = []));
    after(() => site.stop());
    const config = (): object => ({ vector_store_url: site.url, collection: 'kept' });

    it('that does not delete what it was told to is asked a few times, then again later', async () => {
      answers = { kept: { id: 'c', dimension: 3 }, get: { ids: ['a', 'b'] } };
      const { code, options } = await failureOf(runCleanup(registerVectors, { config: config() }));
      assert.deepEqual([code, options.retryable], ['VECTOR_STORE_UNAVAILABLE', true]);
      assert.equal(paths.filter((path) => path === 'delete').length, 3);
    });

    it('need not say how long its vectors are, but which collection it means', async () => {
      answers = { collections: { id: 'c' }, get: { ids: [] } };
      await register({ config: config(), count: 1 });
      assert.ok(paths.includes('upsert'));
      answers = { collections: { dimension: 3 } };
      const { code, options } = await failureOf(register({ config: config(), count: 1 }));
      assert.deepEqual([code, options.retryable], ['VECTOR_STORE_UNAVAILABLE', true]);
    });
  });

  it('stores vectors in its own folder by default', async () => {
    const defaultFolder = join(temporaryFolder(), 'vectors');
    const plugin = createRegisterVectors({ defaultFolder });
    const { artifacts } = await register({ config: {}, count: 1, plugin });
    assert.equal(artifacts.get('vector_registration')?.content.store, 'lancedb:');
    await register({ config: { vector_store_url: 'lancedb:other' }, count: 2, plugin });
    assert.equal((await readLance(defaultFolder, 'knowledge_warehouse'))?.length, 1);
    assert.equal((await readLance(join(defaultFolder, 'other'), 'knowledge_warehouse'))?.length, 2);
  });

  describe('a table of LanceDB', () => {
    let s3: TestS3;
    before(async () => {
      s3 = await startS3();
    });
    after(() => s3.stop());

    const configOnS3 = (): { readonly [name: string]: string } => ({
      vector_store_url: `lancedb:s3://${s3.bucket}`,
      s3_endpoint: s3.endpoint,
      s3_access_key_id: s3.accessKeyId,
      s3_secret_access_key: s3.secretAccessKey,
    });

    it('is not created if another writer has created one meanwhile', async () => {
      const path = temporaryFolder();
      for (const [config, address] of [
        [{ vector_store_url: `lancedb:${path}` }, { kind: 'folder', path }],
        [configOnS3(), { kind: 's3', bucket: s3.bucket, prefix: '' }],
      ] as const) {
        const full = parseConfig(registerVectorsConfig, config) as RegisterVectorsConfig;
        const patience = { signal: new AbortController().signal };
        await createTable(lancedb, address, full, schemaOf(3), patience);
        await createTable(lancedb, address, full, schemaOf(4), patience);
        await register({ config, count: 2 });
      }
      assert.deepEqual(await readLance(path, 'knowledge_warehouse'), rowsOf(alpha, 1, 2));
      assert.deepEqual(await readdir(path), ['knowledge_warehouse.lance']);
    });

    it('is completed after a writer was killed while creating it in S3', async () => {
      const config = { ...configOnS3(), collection: 'half-made' };
      const begun = join(s3.folder, 'half-made.lance', '_transactions');
      await mkdir(begun, { recursive: true });
      await writeFile(join(begun, '0-0b0e6a4e-7f3c-4f0e-9a53-7a3c2b1d0e4f.txn'), '');
      await runCleanup(registerVectors, { config });
      await register({ config, count: 2 });
      await register({ config, count: 3, resourceId: beta });
      await runCleanup(registerVectors, { config });
    });

    it('fails with a retry if its folder holds files but no version', async () => {
      const path = temporaryFolder();
      await mkdir(join(path, 'knowledge_warehouse.lance', 'data'), { recursive: true });
      const failure = await failureOf(
        register({ config: { vector_store_url: `lancedb:${path}` }, count: 1 }),
      );
      assert.deepEqual([failure.code, failure.options.retryable], ['VECTOR_STORE_UNAVAILABLE', true]);
      assert.match(failure.message, /no version that can be read/);
    });
  });

  it('removes deleted rows from the disk as well, some time later', async () => {
    const folder = temporaryFolder();
    const config = { vector_store_url: `lancedb:${folder}` };
    const isOnDisk = async (text: string): Promise<boolean> => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const contents = await Promise.all(
        files.map(({ parentPath, name }) => readFile(join(parentPath, name))),
      );
      return contents.some((content) => content.includes(text));
    };
    await register({ config, count: 2 });
    await register({ config, count: 3, resourceId: beta });
    await runCleanup(registerVectors, { config });
    assert(await isOnDisk(`${alpha}:1`));

    const connection = await lancedb.connect(folder);
    const table = await connection.openTable('knowledge_warehouse');
    const later = (): number => Date.now() + 3_600_000;
    const failures: unknown[] = [];
    const onFailure = (error: unknown): void => void failures.push(error);
    // What was deleted is taken away after a while without another write.
    createHousekeeping(later, 10).deleted('table', () => Promise.resolve(table), onFailure);
    await eventually(async () => !(await isOnDisk(`${alpha}:1`)));
    connection.close();
    assert.deepEqual(failures, []);
    assert.deepEqual(await readLance(folder, 'knowledge_warehouse'), rowsOf(beta, 1, 3));
  });

  it('rejects an unknown address, and does not quote it', async () => {
    for (const vector_store_url of [
      'chroma.example',
      'ftp://x/',
      'lancedb:gs://bucket',
      'http://user:hush-hush@127.0.0.1',
    ]) {
      const { code, message, options } = await failureOf(
        register({ config: { vector_store_url }, count: 1 }),
      );
      assert.deepEqual([code, options.retryable], ['INVALID_CONFIG', false], vector_store_url);
      assert.doesNotMatch(message, /hush|bucket'/);
    }
  });

  it('rejects an address that cannot be called', async () => {
    const onS3 = { vector_store_url: 'lancedb:s3://bucket' };
    for (const [key, config] of [
      ['vector_store_url', { vector_store_url: 'http://127.0.0.1:99999' }],
      ['vector_store_url', { vector_store_url: 'http://127.0.0.1:6000' }],
      ['s3_endpoint', { ...onS3, s3_endpoint: 'http://127.0.0.1:99999' }],
      ['s3_endpoint', { ...onS3, s3_endpoint: 'http://127.0.0.1:6000' }],
    ] as const) {
      const { code, options } = await failureOf(register({ config, count: 1 }));
      assert.deepEqual([code, options], ['INVALID_CONFIG', { retryable: false, details: { key } }]);
    }
  });

  it('rejects vectors that do not match the chunks', async () => {
    const folder = temporaryFolder();
    const config = { vector_store_url: `lancedb:${folder}` };
    const chunks = { chunks: [{ text: 'a' }, { text: 'b' }] };
    for (const [embeddings, code] of [
      [[[1, 2]], 'VECTORS_MISALIGNED'],
      [[], 'VECTORS_MISALIGNED'],
      [[[1, 2], [3]], 'INVALID_INPUT'],
      [
        [
          [1, 2],
          ['x', 'y'],
        ],
        'INVALID_INPUT',
      ],
    ] as const) {
      const run = runPlugin(registerVectors, { config, inputs: { chunks, embeddings } });
      const failure = await failureOf(run);
      assert.deepEqual([failure.code, failure.options.retryable], [code, false]);
    }
    assert.equal(existsSync(join(folder, 'knowledge_warehouse.lance')), false);
  });

  it('rejects a vector without an end before it fills the memory', async () => {
    const part = Buffer.from('1,'.repeat(32 * 1024));
    let parts = 0;
    const endless = new Readable({
      read() {
        this.push(parts++ === 0 ? '[[' : part);
        if (parts > 1000) this.destroy(new Error('it was read on'));
      },
    });
    const failure = await failureOf(measureVectors(endless));
    assert.deepEqual([failure.code, failure.options.retryable], ['INVALID_INPUT', false]);
    assert.ok(endless.destroyed);
  });

  it('never shows the secret of an S3 store, even if its server quotes it', async () => {
    const site = await startRemoteSite();
    site.handle = (_, response) => response.writeHead(403).end('<Error>very-secret</Error>');
    const config = {
      vector_store_url: 'lancedb:s3://bucket',
      s3_endpoint: site.url,
      s3_access_key_id: 'id',
      s3_secret_access_key: 'very-secret',
    };
    const { code, message, options } = await failureOf(register({ config, count: 1 }));
    await site.stop();
    assert.equal(code, 'VECTOR_STORE_UNAVAILABLE');
    assert.doesNotMatch(message + JSON.stringify(options), /very-secret/);
  });

  it('reads vectors however the bytes are split and spaced', async () => {
    const vectors = [
      [1, -2.5e-7],
      [3, 4],
      [5, 6],
    ];
    for (const [text, expected] of [
      [JSON.stringify(vectors), vectors],
      [` ${JSON.stringify(vectors, null, 2)}\n`, vectors],
      ['[1,2]', [[1, 2]]],
      ['[ ]', []],
    ] as const) {
      for (const size of [1, 3, 1000]) {
        const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const bytes = Readable.from(
          parts.map((part) => Buffer.from(part)),
          { objectMode: false },
        );
        const read: unknown[] = [];
        for await (const vector of vectorsIn(bytes)) read.push(vector);
        assert.deepEqual(read, expected);
      }
    }
  });
});
