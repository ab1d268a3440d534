import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '../../storage/auth/api-keys.js';
import type { Answer } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { fill } from '../support/stores/fill.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { startService, type Service } from '../support/service/service.js';
import { startTemporal, type TestTemporal } from '../support/servers/temporal.js';
import { temporaryFolder } from '../support/temporary.js';
import { startAuthorsWorker } from '../support/workers/authors-worker.js';

const mebibyte = 1024 * 1024;
const diskMebibytes = 12;
/** More than fits on the disk. */
const tooManyBytes = (diskMebibytes + 1) * mebibyte;
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
    `mount -t tmpfs -o size=${diskMebibytes}m tmpfs "$0" && exec "$@"`,
    folder,
  ],
  beside: (pid) => ['nsenter', '--target', `${pid}`, ...nsenter, '--mount'],
}));

interface Ready {
  readonly checks: { readonly object_store: { readonly status: string } };
}

/** API and worker in processes of their own, which keep their objects and write their logs in a folder on a small disk. */
describe('a full disk', () => {
  const folder = temporaryFolder();
  let database: TestDatabase;
  let api: Service | undefined;
  let disk: SmallDisk;
  let env: Record<string, string>;
  let adminKey: string;
  let client: RestClient;
  let site: RemoteSite;
  let temporal: TestTemporal;
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
    [database, temporal, site] = await Promise.all([createDatabase(), startTemporal(), startRemoteSite()]);
    ({ key: adminKey } = await createApiKey(database.db, {
      name: 'tests',
      scopes: ['admin'],
      rate_limit: 0,
    }));
    const port = await reservePort();
    const base = `http://127.0.0.1:${port}`;
    env = {
      DATABASE_URL: database.url,
      ...temporal.env,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: base,
      KW_OBJECT_DIR: folder,
      KW_URL_ALLOW: site.host,
      PORT: `${port}`,
    };
    api = await startService('api', env, disk.on(folder), [], join(folder, 'api.log'));
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
    await site.stop();
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
      .filter(
        (entry) =>
          entry.isFile() && !['warehouse-id', 'filler', 'api.log', 'worker.log'].includes(entry.name),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  it('during an upload: 503 with the reason, nothing stored, works after space is freed', async () => {
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
    const large = await zeros(tooManyBytes);
    assert.deepEqual([large.status, large.body.error.code], [503, 'STORAGE_UNAVAILABLE']);
    // It is full before.
    fill(filler);
    for (const bytes of [1, mebibyte]) {
      const { status, body, headers } = await zeros(bytes);
      assert.deepEqual([status, body.error.code, body.error.message], [503, isFull.code, isFull.message]);
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    }
    await eventually(async () => (await storeReady()) === 'error');

    rmSync(filler);
    assert.deepEqual([await countResources(), stored()], [rows, files]);
    await eventually(async () => (await storeReady()) === 'ok');
    assert.equal((await zeros(mebibyte)).status, 201);
  });

  it('while logging: reads continue, and lost lines are counted and reported after space is freed', async () => {
    const { id } = (await zeros(mebibyte)).body;
    const lost = async (): Promise<number> => {
      const answer = await fetch(`${env['KW_PUBLIC_URL']}/metrics`, {
        headers: { authorization: `Bearer ${adminKey}` },
      });
      return Number(/^kw_log_lines_lost_total (\d+)$/m.exec(await answer.text())?.[1]);
    };
    fill(filler);
    await eventually(async () => {
      const reads = Array.from({ length: 50 }, () => client.expect(200, 'GET', `/resources/${id}`));
      await Promise.all(reads);
      return (await lost()) > 0;
    });
    assert.equal((await fetch(`${env['KW_PUBLIC_URL']}/health/live`)).status, 200);
    assert.equal((await zeros(1)).status, 503);
    const counted = await lost();

    rmSync(filler);
    assert.equal((await zeros(1)).status, 201);
    const lines = await eventually(() => {
      const whole = api!.output().trim().split('\n');
      return whole.some((line) => line.includes('lost_lines')) && whole;
    });
    const notes = lines.flatMap((line) => (JSON.parse(line) as { lost_lines?: number }).lost_lines ?? []);
    assert(notes.reduce((sum, note) => sum + note, 0) >= counted, `${notes.join()} ${counted}`);
  });

  /** Waits until a step was tried twice, and checks that it failed because the disk is full, and not for good. */
  const failsTwice = async (id: string): Promise<void> => {
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
  };

  it('while a worker stores: steps are retried until space is freed; a URL is fetched three times, and its run fails', async () => {
    // It writes its log to the disk as well, and registers the built-in plugins.
    const worker = await startService('worker', env, disk.beside(api!.pid), [], join(folder, 'worker.log'));
    const text = 'A line.\n'.repeat(20_000).trim();
    const [{ id: read }, { id: returned }] = [
      (await register('read', text)).body,
      (await register('own', 'x')).body,
    ];
    const own = { id: 'own', name: 'Own', kind: 'activity', task_queue: 'own', activity_type: 'work' };
    await client.expect(201, 'POST', '/plugins', own);
    for (const [trigger_type, plugin_id] of [
      ['read', 'extract-text'],
      ['own', 'own'],
      ['fetched', 'extract-text'],
    ]) {
      const steps = [{ plugin_id, max_attempts: 100, backoff_seconds: 0.5 }];
      await client.expect(201, 'POST', '/pipelines', { name: trigger_type, trigger_type, steps });
    }
    let asked = 0;
    site.handle = (_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(tooManyBytes));
    };
    const files = stored();
    fill(filler);
    for (const id of [read, returned]) await client.expect(202, 'POST', `/resources/${id}/reprocess`);
    const { id: fetched } = await client.addUrl('fetched', site.url);

    const artifact = { type: 'note', content_type: 'text', content: 'x'.repeat(100_000) };
    const stopAuthors = await startAuthorsWorker({ deps: { config: { temporal: temporal.config } } }, 'own', {
      work: () => ({ artifacts: [artifact] }),
    });
    try {
      for (const id of [read, returned]) await failsTwice(id);
      assert.deepEqual((await client.settled(fetched)).error, { ...isFull, step: null });
      assert.equal(asked, 3);

      rmSync(filler);
      const resource = await client.settled(read);
      assert.deepEqual([resource.status, resource.artifacts.length], ['COMPLETED', 2]);
      assert.equal((await client.artifact(resource, 'text')).content, text);
      const { status, artifacts } = await client.settled(returned);
      assert.deepEqual([status, artifacts.length], ['COMPLETED', 1]);
      assert.equal(stored().length, files.length + 3);
    } finally {
      await stopAuthors();
      await worker.stop();
    }
  });
});
