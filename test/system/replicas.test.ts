import assert from 'node:assert/strict';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { atExit } from '../support/at-exit.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { s3Settings, startS3, type TestS3 } from '../support/servers/s3.js';
import { startStack, type TestStack } from '../support/service/stack.js';
import { startTemporal } from '../support/servers/temporal.js';
import { temporaryFolder } from '../support/temporary.js';

const program = 'dist/bin/kw.js';
const count = 8;

describe('"kw serve", "kw worker" and "kw start" on one PostgreSQL, Temporal and S3', () => {
  let database: TestDatabase;
  let s3: TestS3;
  let external: Record<string, string>;
  let clients: readonly RestClient[] = [];
  let adminKey: string;
  let stack: TestStack;
  const apis: string[] = [];
  const processes: { readonly child: ChildProcess; readonly output: () => string }[] = [];

  const kw = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], ...external };
    return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
  };

  /** Starts one as an operator does, and waits until it says that it is ready. */
  const run = async (command: 'serve' | 'worker', env: Readonly<Record<string, string>>): Promise<void> => {
    const child = fork(program, [command], {
      env: { PATH: process.env['PATH'], KW_DATA_DIR: temporaryFolder(), ...external, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    atExit(() => child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    processes.push({ child, output: () => output });
    await eventually(() => {
      assert.equal(child.exitCode, null, output);
      return /(API|worker) is ready/.test(output);
    });
  };

  before(async function () {
    const [temporal, ports] = await Promise.all([
      startTemporal(),
      Promise.all([reservePort(), reservePort()]),
      (async () => (database = await createDatabase({ migrated: false })))(),
      (async () => (s3 = await startS3()))(),
    ]);
    external = {
      DATABASE_URL: database.url,
      ...temporal.env,
      ...s3Settings(s3),
      KW_SEARCH_URI: `lancedb:s3://${s3.bucket}/search`,
      KW_SECRET: 'a-secret-that-all-of-them-share',
      KW_DRAIN_SECONDS: '0',
    };
    assert.match(await kw('migrate'), /^Applied: 0001/);
    adminKey = (await kw('keys', 'create', '--name', 'tests', '--scope', 'admin')).trim();
    apis.push(...ports.map((port) => `http://127.0.0.1:${port}`));
    const KW_PUBLIC_URL = apis[0]!;
    [stack] = await Promise.all([
      startStack({ env: { ...external, KW_PUBLIC_URL }, port: ports[1] }),
      run('serve', { PORT: String(ports[0]), KW_PUBLIC_URL }),
      run('worker', { KW_PUBLIC_URL }),
    ]);
    assert.deepEqual(Object.keys(stack.stack().processes).sort(), ['api', 'supervisor', 'worker']);
    clients = [adminKey, stack.adminKey].map((key, at) =>
      createRestClient({ api: apis[at]!, adminKey: key }),
    );
  });
  after(async () => {
    await Promise.all(processes.map(({ child }) => stop(child)));
    assert.equal(await stack.stop(), 0);
    await database.drop();
    await s3.stop();
  });

  it('know the key that was created, and no other', async () => {
    for (const api of apis) {
      assert.equal((await fetch(`${api}/health/ready`)).status, 200);
      const statusWith = async (key: string): Promise<number> =>
        (await fetch(`${api}/api/v1/resources`, { headers: { authorization: `Bearer ${key}` } })).status;
      assert.deepEqual([await statusWith(adminKey), await statusWith('kw_somebody-elses')], [200, 401]);
    }
    assert.match(await kw('keys', 'list'), /tests .*admin .*valid/);
  });

  it(`process ${count} resources registered through both`, async () => {
    const text = (index: number): string => `This is document number ${index}.`;
    const made = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        clients[index % 2]!.upload('document', { text: text(index) }),
      ),
    );
    await Promise.all(
      made.map(async ({ id }, index) => {
        // Each is asked for at the API that did not register it.
        const other = clients[(index + 1) % 2]!;
        const resource = await other.settled(id);
        assert.deepEqual([resource.status, resource.run], ['COMPLETED', 1], JSON.stringify(resource.error));
        const types = resource.artifacts.map((artifact: { type: string }) => artifact.type).sort();
        assert.deepEqual(types, ['chunks', 'metadata', 'text']);
        assert.equal((await other.artifact(resource, 'text')).content, text(index));
      }),
    );
    const { items } = await clients[0]!.expect(200, 'GET', '/resources?status=COMPLETED&limit=200');
    assert.equal(items.length, count);
    // Null while Temporal answers too late.
    await eventually(
      async () => (await clients[0]!.expect(200, 'GET', '/plugins/extract-text')).pollers === 2,
    );
  });

  it('find the same, in the same order', async () => {
    const found = await eventually(async () => {
      const hits = await Promise.all(
        clients.map(async (client) => {
          const { items } = await client.expect(200, 'POST', '/search', { q: 'document number', limit: 50 });
          return items.map(({ url, score }: { url: string; score: number }) => ({
            path: new URL(url).pathname,
            score,
          }));
        }),
      );
      return hits.every(({ length }) => length === count) && hits;
    });
    assert.deepEqual(found[0], found[1]);
  });

  it('lose nothing when all but the "kw start" are stopped one after another', async () => {
    const steps = ['extract-text', 'chunk-text'].map((plugin_id) => ({ plugin_id, max_attempts: 1 }));
    await clients[1]!.expect(201, 'POST', '/pipelines', { name: 'Single', trigger_type: 'single', steps });
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        clients[1]!.upload('single', { text: `Another one, ${index}.` }),
      ),
    );
    for (const { child } of processes) assert.equal(await stop(child), 0);
    for (const { id } of made) {
      const resource = await clients[1]!.settled(id);
      assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
    }
  });
});

/** Asks a process to stop, and returns its exit code. */
async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  return child.exitCode;
}
