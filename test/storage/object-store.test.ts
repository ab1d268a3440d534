import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { onDisk } from '../../storage/object-store/durable-file.js';
import { createFileObjectStore } from '../../storage/object-store/file.js';
import { storageUnavailable } from '../../storage/object-store/errors.js';
import { createS3ObjectStore } from '../../storage/object-store/s3/store.js';
import { eventually } from '../support/eventually.js';
import { startS3, type TestS3 } from '../support/servers/s3.js';
import { behavesLikeAnObjectStore } from '../support/stores/object-store-contract.js';
import { chunks, isUnavailable, keys, mebibyte, read } from '../support/stores/stored.js';

describe('object store', () => {
  describe('in a folder', () => {
    let directory: string;
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'kw-objects-'));
      await createFileObjectStore({ directory }).create();
    });
    after(() => rm(directory, { recursive: true, force: true }));

    // It writes every piece as it comes.
    behavesLikeAnObjectStore(mebibyte / 16, () => ({
      store: createFileObjectStore({ directory }),
      leftovers: async () => (await readdir(join(directory, 'tmp'))).length,
    }));

    it('makes files accessible only to their owner', async () => {
      await createFileObjectStore({ directory }).put('private/file', Buffer.from('x'));
      assert.equal((await stat(join(directory, 'data/private'))).mode & 0o777, 0o700);
      assert.equal((await stat(join(directory, 'data/private/file'))).mode & 0o777, 0o600);
    });

    it('removes empty folders', async () => {
      const store = createFileObjectStore({ directory });
      await store.put('folder/of/one', Buffer.from('x'));
      await store.delete(['folder/of/one']);
      assert.ok(!(await readdir(join(directory, 'data'))).includes('folder'));
    });

    it('survives puts and deletions that create and remove the same folder', async () => {
      const store = createFileObjectStore({ directory });
      const one = async (name: string): Promise<void> => {
        for (let i = 0; i < 50; i++) {
          await store.put(`race/deep/${name}`, Buffer.from(name));
          assert.equal(await read(store, `race/deep/${name}`), name);
          await store.delete([`race/deep/${name}`]);
        }
      };
      await Promise.all(['a', 'b', 'c', 'd'].map(one));
    });

    it('removes what killed processes left behind long ago', async () => {
      const temporary = join(directory, 'tmp');
      await writeFile(join(temporary, 'old'), 'x');
      await writeFile(join(temporary, 'recent'), 'x');
      const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
      await utimes(join(temporary, 'old'), twoDaysAgo, twoDaysAgo);
      const opened = createFileObjectStore({ directory });
      assert.equal(await opened.removeAbandoned(new Date(Date.now() - 24 * 60 * 60 * 1000)), 1);
      assert.deepEqual(await readdir(temporary), ['recent']);
      await rm(join(temporary, 'recent'));
    });

    it('writes nothing where its folder was, for example once its volume is no longer mounted', async () => {
      const mounted = join(directory, 'mounted');
      const store = createFileObjectStore({ directory: mounted });
      await store.create();
      await store.put('key', Buffer.from('x'));
      await rename(join(mounted, 'data'), join(directory, 'away'));
      await assert.rejects(store.put('other', Buffer.from('x')), isUnavailable);
      await assert.rejects(store.check(), isUnavailable);
      assert.ok(!(await readdir(mounted)).includes('data'));
      await rename(join(directory, 'away'), join(mounted, 'data'));
      assert.equal(await read(store, 'key'), 'x');
    });

    it('reports that the folder cannot be used', async () => {
      const file = join(directory, 'a-file');
      await writeFile(file, '');
      const store = createFileObjectStore({ directory: file });
      await assert.rejects(store.check(), isUnavailable);
      await assert.rejects(store.put('key', Buffer.from('x')), isUnavailable);
    });

    it('reports that the disk is full', async function () {
      if (process.platform !== 'linux') this.skip();
      await assert.rejects(onDisk(writeFile('/dev/full', 'x')), isUnavailable);
    });
  });

  describe('in S3', () => {
    let s3: TestS3;
    let client: S3Client;
    before(async function () {
      s3 = await startS3();
      client = new S3Client({ ...s3, forcePathStyle: true, credentials: s3 });
    });
    after(async () => {
      client.destroy();
      await s3.stop();
    });

    behavesLikeAnObjectStore(8 * mebibyte, () => ({
      store: createS3ObjectStore(s3),
      leftovers: async () =>
        (await client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }))).Uploads?.length ?? 0,
    }));

    it('lists more keys than fit one page', async () => {
      const store = createS3ObjectStore(s3);
      await mkdir(join(s3.folder, 'many'));
      for (let i = 0; i < 1005; i++) writeFileSync(join(s3.folder, `many/${i}`), 'x');
      assert.equal((await keys(store, 'many/')).length, 1005);
      store.close();
    });

    it('serves others while many do not read their content', async () => {
      const store = createS3ObjectStore(s3);
      await store.put('held/unread', Buffer.alloc(8 * mebibyte));
      const unread = await Promise.all(Array.from({ length: 100 }, () => store.get('held/unread')));
      await store.put('held/other', Buffer.from('at once'));
      assert.equal(await read(store, 'held/other'), 'at once');
      for (const { stream } of unread) stream.destroy();
      store.close();
    });

    it('reports that the server cannot be reached or rejects requests', async () => {
      const closed = createS3ObjectStore({ ...s3, endpoint: 'http://127.0.0.1:9' });
      const refused = createS3ObjectStore({ ...s3, secretAccessKey: 'wrong' });
      const noBucket = createS3ObjectStore({ ...s3, bucket: 'not-there' });
      for (const store of [closed, refused, noBucket]) {
        const stream = chunks(Buffer.alloc(mebibyte));
        await assert.rejects(store.check(), isUnavailable);
        const message = store === refused ? /refuses access/ : /cannot be used at the moment/;
        await assert.rejects(store.check(), { message });
        await assert.rejects(store.put('key', Buffer.from('x')), isUnavailable);
        await assert.rejects(store.put('key', stream), isUnavailable);
        await assert.rejects(store.get('key'), isUnavailable);
        await assert.rejects(keys(store, ''), isUnavailable);
        assert.ok(stream.destroyed);
        store.close();
      }
    });

    it('tells a refused key and a full bucket from other answers', () => {
      const said = (name: string, httpStatusCode: number): string =>
        storageUnavailable(Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } })).message;
      for (const [name, status] of Object.entries({ AccessDenied: 403, ExpiredToken: 400 }))
        assert.equal(said(name, status), 'The object store refuses access.');
      for (const name of ['QuotaExceeded', 'InsufficientStorageSpace', 'XMinioStorageFull'])
        assert.equal(said(name, 403), 'The object store is full.');
      for (const [name, status] of Object.entries({
        RequestTimeTooSkewed: 403,
        InvalidObjectState: 403,
        X: 400,
      }))
        assert.equal(said(name, status), 'The object store cannot be used at the moment.');
    });

    it('ignores missing objects if the server reports them, but not a missing bucket', async () => {
      // Amazon S3 and the server of these tests do not report them; Google Cloud Storage does.
      const server = createServer((request, response) => {
        const code = request.url?.startsWith('/not-there/') ? 'NoSuchBucket' : 'NoSuchKey';
        response.writeHead(404, { 'content-type': 'application/xml' });
        response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const store = createS3ObjectStore({ ...s3, endpoint });
      const noBucket = createS3ObjectStore({ ...s3, endpoint, bucket: 'not-there' });
      await store.delete(['missing', 'missing-too']);
      await assert.rejects(noBucket.delete(['missing']), isUnavailable);
      for (const opened of [store, noBucket]) opened.close();
      server.close();
    });

    it('ends each request to a silent server when it is aborted', async () => {
      const asked: string[] = [];
      const server = createServer(({ method, url }) => void asked.push(`${method} ${url}`));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const store = createS3ObjectStore({ ...s3, endpoint });
      const aborting = new AbortController();
      const { signal } = aborting;
      const listed = store.list('', { signal })[Symbol.asyncIterator]();
      const requests = [
        store.delete(['key'], { signal }),
        store.check({ signal }),
        store.removeAbandoned(new Date(), { signal }),
        listed.next(),
      ];
      const ended = Promise.allSettled(requests);
      await eventually(() => asked.length === requests.length);
      const reason = new Error('the process stops');
      aborting.abort(reason);
      for (const outcome of await ended) assert.deepEqual(outcome, { status: 'rejected', reason });
      store.close();
      server.closeAllConnections();
      server.close();
    });

    it('reports that the server goes away in the middle of a put', async function () {
      const other = await startS3();
      const store = createS3ObjectStore(other);
      let sent = 0;
      const stream = new Readable({
        read() {
          sent += mebibyte;
          // More than two parts.
          if (sent !== 20 * mebibyte) this.push(Buffer.alloc(mebibyte));
          else void other.stop().then(() => this.push(Buffer.alloc(mebibyte)));
        },
      });
      await assert.rejects(store.put('key', stream), isUnavailable);
      assert.ok(stream.destroyed);
      store.close();
    });
  });
});
