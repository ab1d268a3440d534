import assert from 'node:assert/strict';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { createApp } from '../../api/app.js';
import { closeServer, createHttpServer, listen } from '../../api/server/http-server.js';
import type { Deps } from '../../runtime/deps.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';

const kib = 1024;

describe('time limits', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi({ env: { KW_MAX_UPLOAD_BYTES: '10000' } });
    await api.call('PUT', '/plugins/reader', {
      name: 'R',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
    });
    await api.call('POST', '/pipelines', {
      name: 'R',
      trigger_type: 'read',
      steps: [{ plugin_id: 'reader' }],
    });
  });
  after(() => api.stop());

  /** Sends text as it is, and resolves with the whole answer once the connection has been closed. */
  const exchange = async (base: string, ...parts: readonly string[]): Promise<string> => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const answer = readAll(socket);
    for (const part of parts) socket.write(part);
    return await answer;
  };

  const pace = { windowMs: 250, leastBytes: 1_000 };

  /** Has the API, or a part of it that is made otherwise, listen with this pace while something is done. */
  const hurried = async (deps: Deps, work: (base: string) => Promise<void>): Promise<void> => {
    const handle = createApp(deps).callback();
    const server = createHttpServer((request, response) => void handle(request, response), pace, pace);
    await listen(server, '127.0.0.1', 0);
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      await closeServer(server, 0);
    }
  };
  const count = async (): Promise<number> => {
    let objects = 0;
    for await (const object of api.deps.objectStore.list('resources/')) if (object.key !== '') objects += 1;
    return objects;
  };

  /** An upload as it is written to a socket: what comes before the file's content, and what comes after it. */
  const begin = async (
    length: number,
    path = '/api/v1/resources',
  ): Promise<{ head: string; tail: string }> => {
    const part = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const before = `${part('name', 'slow')}${part('type', 'none')}--b\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\n`;
    const tail = '\r\n--b--\r\n';
    const head =
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${await api.key('write')}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${before.length + length + tail.length}\r\n\r\n${before}`;
    return { head, tail };
  };

  /** Sends a file in pieces, one every so many milliseconds, until it is sent or the connection has ended. */
  const dribble = async (
    base: string,
    pieces: readonly string[],
    everyMs: number,
    path?: string,
  ): Promise<string> => {
    const { head, tail } = await begin(pieces.join('').length, path);
    // A client that gets a response to another path goes on sending.
    const allowHalfOpen = path !== undefined;
    const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1', allowHalfOpen });
    const answer = readAll(socket);
    const rest = [head, ...pieces, tail];
    const timer = setInterval(() => {
      const next = rest.shift();
      if (next !== undefined && socket.writable) socket.write(next);
    }, everyMs);
    try {
      return await answer;
    } finally {
      clearInterval(timer);
    }
  };

  it('cut off a client that stops sending, or sends a byte now and then; nothing is stored', async () => {
    const before = await count();
    await hurried(api.deps, async (base) => {
      const { head } = await begin(5_000);
      assert.match(await exchange(base, head), /^HTTP\/1.1 408 [^]*did not arrive in time/);
      assert.match(await dribble(base, Array<string>(5_000).fill('x'), 20), /^HTTP\/1.1 408 /);
      // The refused one gets its response at once, and no other.
      const refused = await dribble(base, Array<string>(5_000).fill('x'), 20, '/nothing');
      assert.match(refused, /^HTTP\/1.1 404 [^]*"NOT_FOUND"/);
      assert.doesNotMatch(refused, / 408 /);
    });
    await eventually(async () => (await count()) === before);
    assert.deepEqual((await api.call('GET', '/resources?q=slow')).body.items, []);
  });

  it('let a client that keeps sending take as long as it needs', async () => {
    await hurried(api.deps, async (base) => {
      const answer = await dribble(base, Array<string>(18).fill('x'.repeat(500)), 60);
      assert.match(answer, /^HTTP\/1.1 201 [^]*"size_bytes":9000/);
    });
  });

  it('do not blame the sender for a slow store', async () => {
    const content = 'x'.repeat(500_000);
    let stalled = 0;
    const objectStore = new Proxy(api.deps.objectStore, {
      get(store, name, receiver) {
        if (name !== 'put') return Reflect.get(store, name, receiver) as unknown;
        return async (key: string, body: Readable, options: object) => {
          const slow = new PassThrough();
          const put = store.put(key, slow, options);
          // Longer than three windows without a look at what came.
          await new Promise((resolve) => setTimeout(resolve, 4 * pace.windowMs));
          stalled += 1;
          body.pipe(slow);
          return await put;
        };
      },
    });
    const deps = { ...api.deps, config: { ...api.deps.config, maxUploadBytes: 1e6 }, objectStore };
    await hurried(deps, async (base) => {
      const { head, tail } = await begin(content.length);
      assert.match(await exchange(base, head, content, tail), /^HTTP\/1.1 201 [^]*"size_bytes":500000/);
    });
    assert.equal(stalled, 1);
  });

  it('cut off a client that does not read a response, but not one that waits for it', async () => {
    const server = createHttpServer((request, response) => {
      if (request.url === '/slow') setTimeout(() => response.end('at last'), 600);
      else
        Readable.from(endless())
          .on('error', () => undefined)
          .pipe(response);
    });
    server.timeout = 200;
    await listen(server, '127.0.0.1', 0);
    const { port } = server.address() as AddressInfo;
    try {
      const request = (path: string): string =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      assert.match(await exchange(`http://127.0.0.1:${port}`, request('/slow')), /at last$/);
      const deaf = connect(port, '127.0.0.1').on('error', () => undefined);
      deaf.pause().write(request('/'));
      const connections = (): Promise<number> =>
        new Promise((resolve, reject) => {
          server.getConnections((error, found) => (error ? reject(error) : resolve(found)));
        });
      await eventually(async () => (await connections()) === 1);
      await eventually(async () => (await connections()) === 0);
      deaf.destroy();
    } finally {
      await closeServer(server, 0);
    }
  });

  it('release the source of content that a client does not read, whatever it sends meanwhile', async () => {
    const opened: Readable[] = [];
    const objectStore = new Proxy(api.deps.objectStore, {
      get(store, name, receiver) {
        if (name !== 'get') return Reflect.get(store, name, receiver) as unknown;
        return async (key: string) => {
          const object = await store.get(key);
          opened.push(object.stream);
          return object;
        };
      },
    });
    const { body: resource } = await api.upload({ type: 'read' }, 'x'.repeat(9_000));
    const { object_key: key } = (await api.deps.db('resources').where({ id: resource.id }).first()) as {
      object_key: string;
    };
    // More than the buffers on the way hold.
    const size = 32 * kib * kib;
    await api.deps.objectStore.put(key, Buffer.alloc(size, 'x'));
    await api.deps.db('resources').where({ id: resource.id }).update({ size_bytes: size });
    await api.advance(resource, { kind: 'BEGIN' });
    const claim = { resource_id: resource.id, run: 1, step_index: 0, attempt: 1 };
    const { token } = (await api.call('POST', '/internal/attempts', claim)).body.callback;

    await hurried({ ...api.deps, objectStore }, async (base) => {
      const stop = deafClient(base, `/api/v1/internal/resources/${resource.id}/source`, token);
      try {
        await eventually(() => opened[0]?.destroyed);
      } finally {
        stop();
      }
    });
  });

  it('do not apply to a client that leaves events unread', async () => {
    const ended: string[] = [];
    const server = createHttpServer(
      (request, response) => {
        const { url = '' } = request;
        response.once('close', () => ended.push(url));
        response.setHeader(
          'content-type',
          url === '/events' ? 'text/event-stream; charset=utf-8' : 'text/plain',
        );
        Readable.from(endless())
          .on('error', () => undefined)
          .pipe(response);
      },
      pace,
      pace,
    );
    await listen(server, '127.0.0.1', 0);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stops = ['/events', '/content'].map((path) => deafClient(base, path));
    try {
      await eventually(() => ended.length > 0);
      assert.deepEqual(ended, ['/content']);
    } finally {
      for (const stop of stops) stop();
      await closeServer(server, 0);
    }
  });

  it('let a client that keeps reading content take as long as it needs', async () => {
    const server = createHttpServer(
      (_request, response) => {
        Readable.from(endless())
          .on('error', () => undefined)
          .pipe(response);
      },
      pace,
      // Longer than a busy machine keeps this process waiting.
      { ...pace, windowMs: 1_500 },
    );
    await listen(server, '127.0.0.1', 0);
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let taken = 0;
    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        const pieces = Math.floor(taken / (512 * kib));
        taken += chunk.length;
        if (taken > 64 * kib * kib) break;
        // Slower than it is sent.
        if (Math.floor(taken / (512 * kib)) > pieces) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(taken > 64 * kib * kib, `cut off after ${taken} bytes`);
    } finally {
      await closeServer(server, 0);
    }
  });
});

/** Asks for a path, reads nothing of the answer, and sends a byte of its next request now and then, until it is stopped. */
function deafClient(base: string, path: string, token = ''): () => void {
  const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => undefined);
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\nGET /`);
  const timer = setInterval(() => socket.write('x'), 50);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * kib);
}

/** Everything that comes until the connection has been closed. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  // A connection that is cut while something is still written to it ends with an error.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}
