import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '../../storage/api-keys.js';
import type { Answer } from '../support/core.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { createRestClient, type RestClient } from '../support/rest-client.js';
import { startService, type Service } from '../support/service.js';
import { startTemporal } from '../support/temporal.js';
import { temporaryFolder } from '../support/temporary.js';

const mebibyte = 1024 * 1024;
const isFull = { code: 'STORAGE_UNAVAILABLE', message: 'The object store is full.' };

/** Commands that run a command with a small file system of its own, and others that run one where a process is. */
interface SmallDisk {
  readonly on: (folder: string) => string[];
  readonly beside: (pid: number) => string[];
}

/** As any user, or as one who may anyway. */
const smallDisks: readonly SmallDisk[] = [
  { unshare: ['--user', '--map-root-user'], nsenter: ['--user', '--preserve-credentials'] },
  { unshare: [], nsenter: [] },
].map(({ unshare, nsenter }) => ({
  on: (folder) => [
    ...['unshare', ...unshare, '--mount', 'sh', '-c'],
    'mount -t tmpfs -o size=12m tmpfs "$0" && exec "$@"',
    folder,
  ],
  beside: (pid) => ['nsenter', '--target', `${pid}`, ...nsenter, '--mount'],
}));

interface Ready {
  readonly checks: { readonly object_store: { readonly status: string } };
}

/** API and worker in processes of their own, which keep their objects in a folder on a small disk. */
describe('a disk that is full', () => {
  const folder = temporaryFolder();
  let database: TestDatabase;
  let api: Service | undefined;
  let disk: SmallDisk;
  let env: Record<string, string>;
  let client: RestClient;
  /** The folder as it is seen from here, and what fills it. */
  let seen: string;
  let filler: string;

  before(async function () {
    const found = smallDisks.find(({ on }) => {
      const [unshare = '', ...args] = on(folder);
      return spawnSync(unshare, [...args, 'true']).status === 0;
    });
    // Where neither may make file systems there is no disk that could be filled.
    if (found === undefined) return this.skip();
    disk = found;
    let temporal;
    [database, temporal] = await Promise.all([createDatabase(), startTemporal()]);
    const { key: adminKey } = await createApiKey(database.db, { name: 'tests', scopes: ['admin'] });
    const port = await reservePort();
    const base = `http://127.0.0.1:${port}`;
    env = {
      DATABASE_URL: database.url,
      ...temporal.env,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: base,
      KW_OBJECT_DIR: folder,
      PORT: `${port}`,
    };
    api = await startService('api', env, disk.on(folder));
    client = createRestClient({ api: base, adminKey });
    seen = `/proc/${api.pid}/root${folder}`;
    filler = join(seen, 'filler');
    // The API marks the store as its own some time after it started, by a file that is written like the others.
    await eventually(() => readdirSync(join(seen, 'data')).includes('warehouse-id'));
  });
  afterEach(() => rmSync(filler, { force: true }));
  after(async () => {
    if (api === undefined) return;
    await api.kill9();
    await database.drop();
  });

  const register = async (type: string, content: Uint8Array<ArrayBuffer> | string): Promise<Answer> => {
    const form = new FormData();
    form.set('name', 'A file');
    form.set('type', type);
    form.set('file', new Blob([content]), 'file.txt');
    return await client.call('POST', '/resources', form);
  };
  const zeros = (bytes: number): Promise<Answer> => register('kept', new Uint8Array(bytes));
  const countResources = async (): Promise<number> => (await database.db('resources')).length;
  /** Files of objects, and of what is on its way to become one. */
  const stored = (): string[] =>
    readdirSync(seen, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !['warehouse-id', 'filler'].includes(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  it('at an upload: 503 and says so, nothing is kept, and works once there is room', async () => {
    const storeReady = async (): Promise<string> => {
      const response = await fetch(`${env['KW_PUBLIC_URL']}/health/ready`);
      const { status } = ((await response.json()) as Ready).checks.object_store;
      assert.equal(response.status, status === 'ok' ? 200 : 503);
      return status;
    };
    assert.equal((await zeros(mebibyte)).status, 201);
    assert.equal(await storeReady(), 'ok');
    const [rows, files] = [await countResources(), stored()];

    // It fills up while a file is being written.
    const large = await zeros(20 * mebibyte);
    assert.deepEqual([large.status, large.body.error.code], [503, 'STORAGE_UNAVAILABLE']);
    // It is full before.
    fill(filler);
    for (const bytes of [1, mebibyte]) {
      const { status, body, headers } = await zeros(bytes);
      assert.deepEqual([status, body.error.code, body.error.message], [503, isFull.code, isFull.message]);
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    }
    assert.equal(await storeReady(), 'error');

    rmSync(filler);
    assert.deepEqual([await countResources(), stored()], [rows, files]);
    assert.equal(await storeReady(), 'ok');
    assert.equal((await zeros(mebibyte)).status, 201);
  });

  it('at an artifact: the step is tried again, and keeps nothing, until there is room', async () => {
    const startWorker = (): Promise<Service> => startService('worker', env, disk.beside(api!.pid));
    // It registers the built-in plugins.
    await (await startWorker()).stop();
    const steps = [{ plugin_id: 'extract-text', max_attempts: 100, backoff_seconds: 0.2 }];
    await client.expect(201, 'POST', '/pipelines', { name: 'Read', trigger_type: 'read', steps });
    const text = 'A line.\n'.repeat(20_000).trim();
    const { id } = (await register('read', text)).body;
    const files = stored();
    fill(filler);

    const worker = await startWorker();
    try {
      const failed = await eventually(async () => {
        const attempts: { error: string | null }[] = await database
          .db('attempts')
          .where({ resource_id: id, outcome: 'FAILURE' });
        return attempts.length >= 2 && attempts;
      });
      for (const { error } of failed) {
        const { code, message } = JSON.parse(error ?? '{}') as Partial<typeof isFull>;
        assert.deepEqual({ code, message }, isFull);
      }
      assert.equal((await client.expect(200, 'GET', `/resources/${id}`)).status, 'PROCESSING');

      rmSync(filler);
      const resource = await client.settled(id);
      assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 2]);
      assert.equal((await client.artifact(resource, 'text')).content, text);
      assert.equal(stored().length, files.length + 2);
    } finally {
      await worker.stop();
    }
  });
});

/** Writes until no byte fits any more. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let chunk = mebibyte; chunk >= 1; chunk = Math.floor(chunk / 2)) {
      try {
        for (;;) writeSync(file, Buffer.alloc(chunk));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}
