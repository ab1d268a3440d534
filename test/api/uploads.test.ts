import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
import { createFileObjectStore } from '../../storage/object-store/file.js';
import { createS3ObjectStore } from '../../storage/object-store/s3/store.js';
import { form, multipart } from '../support/network/multipart.js';
import {
  fields,
  file,
  maxUploadBytes,
  startUploadServer,
  type UploadAnswer,
  type UploadServer,
} from '../support/network/upload-server.js';

describe('uploads', () => {
  let server: UploadServer;
  before(async () => {
    server = await startUploadServer();
  });
  afterEach(() => server.endTest());
  after(() => server.stop());

  it('are stored, whatever the order of the parts', async () => {
    for (const at of [0, 1, 2, 3]) {
      const { status, body } = await server.send(form(...fields.slice(0, at), file, ...fields.slice(at)));
      assert.equal(status, 200);
      assert.deepEqual(body.fields, {
        name: 'Jahresbericht für Köln',
        type: 'document',
        source: '{"kind":"UPLOAD"}',
      });
      const [key] = await server.keys();
      assert.deepEqual(body.file, {
        key,
        size_bytes: 13,
        sha256: createHash('sha256').update('Hello, world.').digest('hex'),
        media_type: 'text/plain',
        original_name: 'r.txt',
      });
      assert.equal(await text((await server.store.get(key!)).stream), 'Hello, world.');
      await server.store.delete([key!]);
    }
  });

  it('work from the clients of Node.js and browsers', async () => {
    const body = new FormData();
    body.set('file', new Blob(['{"a": 1}'], { type: 'application/octet-stream' }), 'Übersicht "1".json');
    body.set('name', 'x');
    const answer = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body });
    const received = (await answer.json()) as UploadAnswer['body'];
    assert.equal(received.file?.['original_name'], 'Übersicht "1".json');
    assert.equal(received.file['media_type'], 'application/json');
    assert.deepEqual(received.fields, { name: 'x' });
  });

  it('get names without folders and control characters', async () => {
    for (const [sent, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['a%0D%0Ab.txt', 'ab.txt'],
      ['C:\\\\temp\\\\c.txt', 'c.txt'],
    ]) {
      const { body } = await server.send(form({ ...file, fileName: sent! }));
      assert.equal(body.file?.['original_name'], kept);
    }
  });

  it('may leave the file out', async () => {
    assert.deepEqual((await server.send(form(...fields))).body.file, null);
    assert.deepEqual(
      (await server.send(form(...fields, { ...file, fileName: '', content: '' }))).body.file,
      null,
    );
    await server.assertNothingKept();
  });

  it('may be as large as allowed, and not a byte larger', async () => {
    const { status, body } = await server.send(form({ ...file, content: Buffer.alloc(maxUploadBytes) }));
    assert.equal(status, 200);
    assert.equal(body.file?.['size_bytes'], maxUploadBytes);
    await server.store.delete(await server.keys());
    const answer = await server.refused(
      server.send(form({ ...file, content: Buffer.alloc(maxUploadBytes + 1) })),
      413,
      'PAYLOAD_TOO_LARGE',
    );
    assert.deepEqual(answer.details, { limit_bytes: maxUploadBytes });
  });

  it('treat a field named like a JavaScript property as a field', async () => {
    const { body } = await server.send(
      form({ name: 'constructor', content: 'x' }, { name: 'toString', content: 'y' }),
    );
    assert.deepEqual(body.fields, { constructor: 'x', toString: 'y' });
    const hostile = await server.send(form({ name: '__proto__', content: 'x' }));
    assert.deepEqual(Object.entries(hostile.body.fields ?? {}), [['__proto__', 'x']]);
  });

  it('leave nothing behind when the client disconnects midway', async () => {
    const body = form(...fields, { ...file, content: Buffer.alloc(1024 * 1024) });
    for (const at of [body.length - 1000, body.length - 10, 200, 400]) {
      const request = server.open({ ...multipart, 'content-length': body.length });
      request.on('error', () => undefined);
      const through = server.nextFinished();
      request.write(body.subarray(0, at), () => request.destroy());
      await through;
      await server.assertNothingKept();
    }
    assert.ok(
      server.seen.failures.every((error) => error instanceof ServiceError && error.code === 'MALFORMED_BODY'),
    );
  });

  it('leave nothing behind when they are rejected later', async () => {
    server.refuseLater();
    await server.refused(server.send(form(...fields, file)), 400, 'VALIDATION_FAILED');
    await server.refused(server.send(form(...fields)), 400, 'VALIDATION_FAILED');
  });

  describe('while the store is broken', () => {
    const content = Buffer.alloc(2 * 1024 * 1024);

    it('return STORAGE_UNAVAILABLE, in a folder that does not exist', async () => {
      const broken = createFileObjectStore({ directory: '/dev/null/objects' });
      const answer = await server.sendTo(broken, form({ ...file, content }, ...fields));
      await server.refused(answer, 503, 'STORAGE_UNAVAILABLE');
    });

    it('return STORAGE_UNAVAILABLE, in S3', async () => {
      const broken = createS3ObjectStore({
        endpoint: 'http://127.0.0.1:9',
        region: 'x',
        bucket: 'b',
        accessKeyId: 'a',
        secretAccessKey: 's',
      });
      await server.refused(
        await server.sendTo(broken, form({ ...file, content }, ...fields)),
        503,
        'STORAGE_UNAVAILABLE',
      );
    });

    it('report objects that were left over', async () => {
      const broken = {
        ...server.store,
        delete: () => Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'down')),
      };
      const twice = { name: 'name', content: 'x' };
      const { status } = await server.sendTo(broken, form(file, twice, twice));
      assert.equal(status, 400);
      assert.equal(server.seen.leftovers.length, 1);
      assert.deepEqual(server.seen.leftovers, await server.keys());
    });

    it('are an internal error when the store breaks its contract', async () => {
      const bug = new TypeError('a bug');
      const broken = { ...server.store, put: () => Promise.reject(bug) };
      assert.equal((await server.sendTo(broken, form({ ...file, content }, ...fields))).status, 500);
      assert.deepEqual(server.seen.unexpected.splice(0), [bug]);
    });
  });
});
