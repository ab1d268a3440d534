import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import {
  Agent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { ServiceError } from '../../core/errors.js';
import { receiveUpload, type UploadState } from '../../api/uploads/receive-upload.js';
import { createFileObjectStore } from '../../storage/object-store/file.js';
import { createS3ObjectStore } from '../../storage/object-store/s3.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import { boundary, encode, form, multipart, type Part } from '../support/multipart.js';

const maxUploadBytes = 3 * 1024 * 1024;
interface Answer {
  readonly status: number;
  readonly body: {
    readonly fields?: Record<string, string>;
    readonly file?: Record<string, unknown> | null;
    readonly code?: string;
    readonly message?: string;
    readonly details?: Record<string, unknown>;
  };
}

describe('uploads', () => {
  const agent = new Agent({ keepAlive: true });
  let directory: string;
  let store: ObjectStore;
  let server: Server;
  let port: number;
  let failures: unknown[];
  let leftovers: string[];
  let refuseLater: boolean;
  let unexpected: unknown[];
  let finished: () => void;

  /** Resolves when the server is through with the next request, answered or not. */
  const nextFinished = (): Promise<void> => new Promise((resolve) => (finished = resolve));

  function serve(objectStore: ObjectStore): Promise<Server> {
    const app = new Koa<UploadState>();
    let next = 0;
    app.silent = true;
    app.use(async (ctx, go) => {
      try {
        await go();
      } catch (error) {
        if (!(error instanceof ServiceError)) unexpected.push(error);
        failures.push(error);
        const { status, code, message, details } = error as ServiceError;
        ctx.status = error instanceof ServiceError ? status : 500;
        ctx.body = { code, message, details };
      } finally {
        finished();
      }
    });
    app.use(
      receiveUpload({
        objectStore,
        maxUploadBytes,
        keyFor: () => `sources/${next++}`,
        onLeftover: (key) => leftovers.push(key),
      }),
    );
    app.use(async (ctx) => {
      if (refuseLater) {
        await ctx.state.upload.discard();
        await ctx.state.upload.discard();
        throw new ServiceError('VALIDATION_FAILED', 'later');
      }
      const { fields, file } = ctx.state.upload;
      ctx.body = { fields, file };
    });
    const listening = app.listen(0, '127.0.0.1');
    return once(listening, 'listening').then(() => listening);
  }

  function open(headers: Record<string, string | number> = multipart, to = port): ClientRequest {
    return httpRequest({ host: '127.0.0.1', port: to, method: 'POST', headers, agent });
  }

  async function answerOf(request: ClientRequest): Promise<Answer> {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) as Answer['body'] };
  }

  async function send(
    body: Buffer | string,
    headers: Record<string, string | number> = multipart,
    to = port,
  ): Promise<Answer> {
    const request = open(headers, to);
    request.end(body);
    return answerOf(request);
  }

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of store.list('')) found.push(key);
    return found;
  }

  async function nothingIsKept(): Promise<void> {
    assert.deepEqual(await keys(), []);
    assert.deepEqual(await readdir(join(directory, 'tmp')).catch(() => []), []);
  }

  async function refused(
    answer: Promise<Answer> | Answer,
    status: number,
    code: string,
  ): Promise<Answer['body']> {
    const { status: got, body } = await answer;
    assert.equal(`${got} ${String(body.code)}`, `${status} ${code}`, body.message);
    await nothingIsKept();
    return body;
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kw-uploads-'));
    store = createFileObjectStore({ directory });
    server = await serve(store);
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    failures = [];
    leftovers = [];
    unexpected = [];
    refuseLater = false;
    finished = () => undefined;
  });
  afterEach(async () => {
    assert.deepEqual(unexpected, []);
    await store.delete(await keys());
  });
  after(async () => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });

  const fields: Part[] = [
    { name: 'name', content: 'Jahresbericht für Köln' },
    { name: 'type', content: 'document' },
    { name: 'source', content: '{"kind":"UPLOAD"}' },
  ];
  const file: Part = {
    name: 'file',
    fileName: 'r.txt',
    type: 'application/octet-stream',
    content: 'Hello, world.',
  };

  it('are stored, whatever the order of the parts', async () => {
    for (const at of [0, 1, 2, 3]) {
      const { status, body } = await send(form(...fields.slice(0, at), file, ...fields.slice(at)));
      assert.equal(status, 200);
      assert.deepEqual(body.fields, {
        name: 'Jahresbericht für Köln',
        type: 'document',
        source: '{"kind":"UPLOAD"}',
      });
      const [key] = await keys();
      assert.deepEqual(body.file, {
        key,
        size_bytes: 13,
        sha256: createHash('sha256').update('Hello, world.').digest('hex'),
        media_type: 'text/plain',
        original_name: 'r.txt',
      });
      assert.equal(await text((await store.get(key!)).stream), 'Hello, world.');
      await store.delete([key!]);
    }
  });

  it('come from the clients of Node and browsers', async () => {
    const body = new FormData();
    body.set('file', new Blob(['{"a": 1}'], { type: 'application/octet-stream' }), 'Übersicht "1".json');
    body.set('name', 'x');
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
    const received = (await answer.json()) as Answer['body'];
    assert.equal(received.file?.['original_name'], 'Übersicht "1".json');
    assert.equal(received.file['media_type'], 'application/json');
    assert.deepEqual(received.fields, { name: 'x' });
  });

  it('have names without folders and control characters', async () => {
    for (const [sent, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['a%0D%0Ab.txt', 'ab.txt'],
      ['C:\\\\temp\\\\c.txt', 'c.txt'],
    ]) {
      const { body } = await send(form({ ...file, fileName: sent! }));
      assert.equal(body.file?.['original_name'], kept);
    }
  });

  it('may leave the file out', async () => {
    assert.deepEqual((await send(form(...fields))).body.file, null);
    assert.deepEqual((await send(form(...fields, { ...file, fileName: '', content: '' }))).body.file, null);
    await nothingIsKept();
  });

  it('may be as large as allowed, and not a byte larger', async () => {
    const { status, body } = await send(form({ ...file, content: Buffer.alloc(maxUploadBytes) }));
    assert.equal(status, 200);
    assert.equal(body.file?.['size_bytes'], maxUploadBytes);
    await store.delete(await keys());
    const answer = await refused(
      send(form({ ...file, content: Buffer.alloc(maxUploadBytes + 1) })),
      413,
      'PAYLOAD_TOO_LARGE',
    );
    assert.deepEqual(answer.details, { limit_bytes: maxUploadBytes });
  });

  it('are refused unread when their length says too much', async () => {
    const request = open({ ...multipart, 'content-length': 10 ** 12 });
    request.flushHeaders();
    const body = await refused(answerOf(request), 413, 'PAYLOAD_TOO_LARGE');
    assert.deepEqual(body.details, { limit_bytes: maxUploadBytes });
    request.destroy();
  });

  it('are refused while they are still coming', async () => {
    const chunk = Buffer.alloc(256 * 1024);
    for (const [part, status, code] of [
      [file, 413, 'PAYLOAD_TOO_LARGE'],
      [{ ...file, name: 'attachment' }, 400, 'VALIDATION_FAILED'],
    ] as const) {
      const request = open();
      request.on('error', () => undefined);
      request.write(encode({ ...part, content: chunk }).subarray(0, -2));
      let answered = false;
      const more = (): void => {
        if (!answered && !request.destroyed) request.write(chunk, () => setImmediate(more));
      };
      more();
      const answer = await answerOf(request);
      answered = true;
      request.destroy();
      await refused(answer, status, code);
    }
  });

  it('are read to the end before they are refused to a client that closes the connection then', async () => {
    const body = form({ ...file, content: Buffer.alloc(16 * 1024 * 1024) });
    const socket = connect(port, '127.0.0.1');
    const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${multipart['content-type']}\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    await new Promise<void>((resolve, reject) =>
      socket.write(body, (error) => (error ? reject(error) : resolve())),
    );
    assert.match(await text(socket), /^HTTP\/1.1 413 /);
    await nothingIsKept();
  });

  it('are refused with what does not belong into them', async () => {
    const long = 'x'.repeat(64 * 1024 + 1);
    const cases: [parts: Part[], path: string][] = [
      [[file, { ...file, name: 'other' }], '/other'],
      [[{ ...file, name: 'a/b~c' }], '/a~1b~0c'],
      [[file, file], '/file'],
      [[file, { name: 'name', content: 'a' }, { name: 'name', content: 'b' }], '/name'],
      [[file, { name: 'name', content: long }], '/name'],
      [[file, { name: 'a[b]', content: 'x' }], '/a[b]'],
      [[file, { name: 'a[]', content: 'x' }], '/a[]'],
      [[{ name: 'file', content: 'text, and no file' }], '/file'],
      [[{ ...file, content: '' }], '/file'],
      [[file, ...Array.from({ length: 21 }, (_, i) => ({ name: `f${i}`, content: 'x' }))], ''],
      [[file, { name: 'n'.repeat(101), content: 'x' }], ''],
      [[file, { content: 'a part without a name' }], ''],
    ];
    for (const [parts, path] of cases) {
      const { details } = await refused(send(form(...parts)), 400, 'VALIDATION_FAILED');
      assert.equal((details?.['errors'] as { path: string }[])[0]?.path, path);
    }
  });

  it('keep a field with a name of JavaScript as a field', async () => {
    const { body } = await send(
      form({ name: 'constructor', content: 'x' }, { name: 'toString', content: 'y' }),
    );
    assert.deepEqual(body.fields, { constructor: 'x', toString: 'y' });
    const hostile = await send(form({ name: '__proto__', content: 'x' }));
    assert.deepEqual(Object.entries(hostile.body.fields ?? {}), [['__proto__', 'x']]);
  });

  it('are refused when the body is broken', async () => {
    const whole = form(...fields, file);
    for (const body of [
      whole.subarray(0, whole.length - 10),
      whole.subarray(0, 40),
      whole.subarray(0, whole.indexOf('Hello') + 3),
      Buffer.from('rubbish'),
      Buffer.alloc(0),
      Buffer.from(`--${boundary}\r\nrubbish\r\n\r\n`),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\x00\x00: x\r\n\r\nx\r\n--${boundary}--`,
      ),
    ]) {
      await refused(send(body), 400, 'MALFORMED_BODY');
    }
  });

  it('are refused without a boundary, and in other types', async () => {
    const body = form(file);
    await refused(send(body, { 'content-type': 'multipart/form-data' }), 400, 'MALFORMED_BODY');
    await refused(
      send(body, { 'content-type': `multipart/mixed; boundary=${boundary}` }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    await refused(send('{}', { 'content-type': 'application/json' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    await refused(send(body, {}), 415, 'UNSUPPORTED_MEDIA_TYPE');
    const without = open({ ...multipart, 'content-length': 0 });
    without.end();
    await refused(answerOf(without), 400, 'MALFORMED_BODY');
  });

  it('leave nothing when the client goes away in the middle', async () => {
    const body = form(...fields, { ...file, content: Buffer.alloc(1024 * 1024) });
    for (const at of [body.length - 1000, body.length - 10, 200, 400]) {
      const request = open({ ...multipart, 'content-length': body.length });
      request.on('error', () => undefined);
      const through = nextFinished();
      request.write(body.subarray(0, at), () => request.destroy());
      await through;
      await nothingIsKept();
    }
    assert.ok(failures.every((error) => error instanceof ServiceError && error.code === 'MALFORMED_BODY'));
  });

  it('leave nothing when they are refused later', async () => {
    refuseLater = true;
    await refused(send(form(...fields, file)), 400, 'VALIDATION_FAILED');
    await refused(send(form(...fields)), 400, 'VALIDATION_FAILED');
  });

  describe('with a store that is down', () => {
    const content = Buffer.alloc(2 * 1024 * 1024);

    async function answerFrom(broken: ObjectStore, body: Buffer): Promise<Answer> {
      const other = await serve(broken);
      try {
        return await send(body, multipart, (other.address() as AddressInfo).port);
      } finally {
        other.closeAllConnections();
        other.close();
        broken.close();
      }
    }

    it('are answered so, in a folder that is none', async () => {
      const broken = createFileObjectStore({ directory: '/dev/null/objects' });
      const answer = await answerFrom(broken, form({ ...file, content }, ...fields));
      await refused(answer, 503, 'STORAGE_UNAVAILABLE');
    });

    it('are answered so, in S3', async () => {
      const broken = createS3ObjectStore({
        endpoint: 'http://127.0.0.1:9',
        region: 'x',
        bucket: 'b',
        accessKeyId: 'a',
        secretAccessKey: 's',
      });
      await refused(
        await answerFrom(broken, form({ ...file, content }, ...fields)),
        503,
        'STORAGE_UNAVAILABLE',
      );
    });

    it('say what was left over', async () => {
      const broken = {
        ...store,
        delete: () => Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'down')),
      };
      const twice = { name: 'name', content: 'x' };
      const { status } = await answerFrom(broken, form(file, twice, twice));
      assert.equal(status, 400);
      assert.equal(leftovers.length, 1);
      assert.deepEqual(leftovers, await keys());
    });

    it('are an error of ours when the store breaks its promises', async () => {
      const bug = new TypeError('a bug');
      const broken = { ...store, put: () => Promise.reject(bug) };
      assert.equal((await answerFrom(broken, form({ ...file, content }, ...fields))).status, 500);
      assert.deepEqual(unexpected, [bug]);
      unexpected = [];
    });
  });
});
