import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/servers/ports.js';
import { startService, type Service } from '../support/service/service.js';
import { startTemporal, type TestTemporal } from '../support/servers/temporal.js';
import { temporaryFolder } from '../support/temporary.js';

const mebibyte = 1024 * 1024;
const boundary = 'the-boundary';
const head = Buffer.from(
  ['name', 'type']
    .map((name) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`)
    .join('') + `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

/** An API in a process of its own with its objects in a folder, and nothing that would process them. */
describe('an upload of a client', () => {
  const objects = temporaryFolder();
  let database: TestDatabase;
  let temporal: TestTemporal;
  let adminKey: string;
  let port: number;
  let api: Service;

  before(async () => {
    [database, temporal] = await Promise.all([createDatabase(), startTemporal()]);
    ({ key: adminKey } = await createApiKey(database.db, { name: 'tests', scopes: ['admin'] }));
    api = await startApi();
    assert.equal((await register(10)).status, 201);
  });
  after(async () => {
    await api.kill9();
    await database.drop();
  });

  const startApi = async (): Promise<Service> => {
    port = await reservePort();
    const env = {
      DATABASE_URL: database.url,
      ...temporal.env,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: `http://127.0.0.1:${port}`,
      KW_OBJECT_DIR: objects,
      KW_SWEEP_INTERVAL_SECONDS: '3600',
      PORT: String(port),
    };
    return await startService('api', env);
  };
  const register = async (bytes: number): Promise<{ status: number; body: any; headers: Headers }> => {
    const form = new FormData();
    form.set('name', 'A file');
    form.set('type', 'x');
    form.set('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
    const headers = { authorization: `Bearer ${adminKey}` };
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/resources`, {
      method: 'POST',
      headers,
      body: form,
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const countResources = async (): Promise<number> => (await database.db('resources')).length;
  const storedBelow = (folder: string): string[] =>
    filesBelow(folder).filter((path) => !path.endsWith('/warehouse-id'));
  const filesBelow = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  /** Their ports. */
  const clients = new Set<number>();

  /** Begins an upload of a file of so many bytes by hand, and sends a part of it. */
  const begin = async (bytes: number, sent: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const length = head.length + bytes + tail.length;
    socket.write(
      `POST /api/v1/resources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const body = Buffer.concat([head, Buffer.alloc(bytes), tail]).subarray(0, sent);
    await new Promise((written) => socket.write(body, written));
    clients.add(socket.localPort ?? 0);
    return socket;
  };
  const temporary = (): string[] => filesBelow(join(objects, 'tmp'));
  const isMarked = (): boolean => filesBelow(objects).some((path) => path.endsWith('/warehouse-id'));
  /** Descriptors of the process: files of the store, and connections of these clients. */
  const descriptors = (): string[] => {
    const connections = readFileSync(`/proc/${api.pid}/net/tcp`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', remote = '']) => portIn(local) === port && clients.has(portIn(remote)))
      .map((columns) => `socket:[${columns[9]}]`);
    const folder = `/proc/${api.pid}/fd`;
    return readdirSync(folder).flatMap((fd) => {
      try {
        const path = readlinkSync(join(folder, fd));
        return connections.includes(path) || path.startsWith(objects) ? [path] : [];
      } catch {
        return [];
      }
    });
  };
  /** Runs it, and holds rows, objects, files and descriptors against what there was before. */
  const leavesNothing = async (work: () => Promise<void>): Promise<void> => {
    const look = async (): Promise<unknown> => [await countResources(), storedBelow(objects), descriptors()];
    clients.clear();
    // The API marks the store as its own some time after it started, by a file that is written like the others.
    await eventually(() => isMarked() && temporary().length === 0 && descriptors().length === 0);
    const before = await look();
    await work();
    await eventually(async () => {
      assert.deepEqual(await look(), before);
      return true;
    });
  };

  it('that hangs up in the middle leaves nothing behind, at any point', async function () {
    if (process.platform !== 'linux') this.skip();
    await leavesNothing(async () => {
      for (const sent of [0, 30, head.length - 10, head.length, head.length + 10, 2 * mebibyte]) {
        const sockets = await Promise.all(Array.from({ length: 5 }, () => begin(3 * mebibyte, sent)));
        // The store has begun to write.
        if (sent === 2 * mebibyte) await eventually(() => temporary().length === 5);
        await eventually(() => descriptors().length >= 5);
        for (const [index, socket] of sockets.entries()) {
          if (index % 2 === 0) socket.destroy();
          else socket.resetAndDestroy();
        }
      }
    });
  });

  it('that is slow and then silent leaves nothing behind; others are served meanwhile', async function () {
    if (process.platform !== 'linux') this.skip();
    await leavesNothing(async () => {
      const slow = await Promise.all(
        Array.from({ length: 20 }, () => begin(mebibyte, head.length + 100_000)),
      );
      await eventually(() => temporary().length === 20);
      for (let round = 0; round < 5; round++) {
        for (const socket of slow) socket.write(Buffer.alloc(10));
        const headers = { authorization: `Bearer ${adminKey}` };
        const others = await fetch(`http://127.0.0.1:${port}/api/v1/resources`, { headers });
        assert.equal(others.status, 200);
        await others.text();
        assert.equal(temporary().length, 20, 'they are over');
        await pause(20);
      }
      assert.ok(descriptors().length >= 40, `${descriptors().length} descriptors`);
      for (const socket of slow) socket.destroy();
    });
    assert.equal((await register(10)).status, 201);
  });
});

/** The port of an address as the kernel lists it: `0100007F:1F90`. */
function portIn(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}
