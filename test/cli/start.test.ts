import assert from 'node:assert/strict';
import { statSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { identify } from '../../runtime/embedded/process-identity.js';
import { connectDatabase } from '../../storage/database.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { runStart, startStack, type StackOptions, type TestStack } from '../support/stack.js';
import { startTemporal } from '../support/temporal.js';

/** The supervisor alone is tried here: stubs stand for API and worker. */
const services = 'stubs';
const secret = '0123456789abcdef';

describe('kw start', () => {
  let stack: TestStack | undefined;
  const start = async (options: StackOptions = {}): Promise<TestStack> =>
    (stack = await startStack({ services, ...options }));

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  const pidOfApi = async (api: string): Promise<number> => Number(await (await fetch(api)).text());
  const isGone = (pids: Readonly<Record<string, number>>): boolean =>
    Object.values(pids).every((pid) => identify(pid) === null);

  it('runs everything and says where it is', async () => {
    const { api, port, dataDir, adminKey, stack: read, output } = await start();
    const running = read();
    assert.equal(api, `http://127.0.0.1:${port}`);
    assert.deepEqual(Object.keys(running.processes).sort(), [
      'api',
      'postgres',
      'supervisor',
      'temporal',
      'worker',
    ]);
    assert.equal(await pidOfApi(api), running.processes['api']);
    assert.equal(running.temporal_namespace, 'default');
    assert.equal((await fetch(running.temporal_ui!)).status, 200);
    assert.match(adminKey, /^kw_/);
    for (const name of ['admin-key', 'stack.json', 'secret']) {
      assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name);
    }
    for (const told of [api, running.temporal_ui!, join(dataDir, 'admin-key'), 'curl -H']) {
      assert(output().includes(told), told);
    }
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`stops all of it on ${signal}, also when the worker takes its time`, async () => {
      const running = await start({ env: { STUB_WORKER_STOP_MS: '20000' } });
      const pids = running.stack().processes;
      const began = Date.now();
      assert.equal(await running.stop(signal), 0);
      assert(Date.now() - began < 10_000, `${Date.now() - began} ms`);
      assert(isGone(pids));
      assert.throws(() => running.stack(), 'stack.json is still there');
    });
  }

  it('finds everything as it was, also after kill -9', async () => {
    const first = await start();
    const before = first.stack();
    const db = connectDatabase(before.database_url, { poolSize: 1 });
    await db.raw('create table kept as select 1 as n').finally(() => void db.destroy());
    await first.kill9();

    const { port, dataDir, adminKey } = first;
    const second = await start({ dataDir, port });
    const after = second.stack();
    assert.deepEqual({ ...after, processes: null }, { ...before, processes: null });
    assert.equal(second.adminKey, adminKey);
    assert(isGone(before.processes));
    const again = connectDatabase(after.database_url, { poolSize: 1 });
    assert.equal((await again('kept').finally(() => void again.destroy())).length, 1);

    assert.equal(await second.stop(), 0);
    const third = await start({ dataDir, port });
    assert.equal(third.adminKey, adminKey);
    assert.equal(third.stack().temporal_address, before.temporal_address);
  });

  it('starts again what dies', async () => {
    const { api, stack: read, output } = await start();
    const before = read().processes;
    for (const name of ['api', 'worker', 'postgres', 'temporal']) process.kill(before[name]!, 'SIGKILL');
    await eventually(() =>
      Object.entries(read().processes).every(([name, pid]) => pid !== before[name] || name === 'supervisor'),
    );
    await eventually(async () => (await pidOfApi(api)) === read().processes['api']);
    await eventually(async () => {
      const db = connectDatabase(read().database_url, { poolSize: 1 });
      await db.raw('select 1').finally(() => void db.destroy());
      return true;
    });
    assert.match(output(), /worker has ended \(SIGKILL\) and is started again/);
  });

  it('makes a new admin key where the file is gone', async () => {
    const first = await start();
    await first.stop();
    unlinkSync(join(first.dataDir, 'admin-key'));
    const second = await start({ dataDir: first.dataDir });
    assert.notEqual(second.adminKey, first.adminKey);
    assert.match(second.adminKey, /^kw_/);
  });

  it('leaves the ports of API and metrics to them, also where a part of it listened before', async () => {
    const first = await start();
    const before = first.stack();
    await first.stop();
    const port = Number(new URL(`http://${before.temporal_address}`).port);
    const second = await start({
      dataDir: first.dataDir,
      port,
      env: { KW_WORKER_METRICS_ADDRESS: new URL(before.temporal_ui!).host },
    });
    const after = second.stack();
    assert.equal(await pidOfApi(`http://127.0.0.1:${port}`), after.processes['api']);
    assert.notEqual(after.temporal_address, before.temporal_address);
    assert.notEqual(after.temporal_ui, before.temporal_ui);
    assert.equal(after.database_url, before.database_url);
  });

  it('shows warnings of API and worker', async () => {
    const { output } = await start();
    await eventually(() => /worker warn: only a stub/.test(output()));
  });

  describe('with external parts', () => {
    let database: TestDatabase;
    before(async () => {
      database = await createDatabase({ migrated: false });
    });
    after(() => database.drop());

    it('starts only what is not given', async () => {
      const temporal = await startTemporal();
      const running = await start({
        env: { DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporal.config.address, KW_SECRET: secret },
      });
      assert.deepEqual(Object.keys(running.stack().processes).sort(), ['api', 'supervisor', 'worker']);
      assert.equal(running.stack().database_url, database.url);
      assert.equal(running.stack().temporal_ui, null);
      assert.equal(await running.stop(), 0);
    });
  });

  describe('refuses with one line', () => {
    const fails = async (options: StackOptions, line: RegExp): Promise<void> => {
      const { code, stderr } = await runStart({ services, ...options });
      assert.equal(code, 1);
      assert.match(stderr, line);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    };

    it('a data directory in use', async () => {
      const { dataDir } = await start();
      await fails({ dataDir }, /^KW_DATA_DIR: .* is in use by another start, process \d+\.$/m);
    });

    it('a port in use', async () => {
      const port = await reservePort();
      const squatter = createServer().listen(port, '127.0.0.1');
      try {
        await fails(
          { port },
          /^PORT: 127\.0\.0\.1:\d+ is in use by another program\. Set PORT to a free one\.$/m,
        );
      } finally {
        squatter.close();
      }
    });

    it('a setting that is wrong', () =>
      fails({ env: { KW_SEED: 'maybe' } }, /^KW_SEED must be true or false/));

    it('a setting that is missing', () =>
      fails({ env: { DATABASE_URL: 'postgres://127.0.0.1:1/kw' } }, /^KW_SECRET is missing/));

    it('a database that does not answer', () =>
      fails(
        { env: { DATABASE_URL: 'postgres://127.0.0.1:1/kw', KW_SECRET: secret } },
        /^The database could not be prepared: .*ECONNREFUSED/,
      ));

    it('an API that does not start, and stops the rest', () =>
      fails(
        { env: { STUB_API_FAILS: 'no luck today' } },
        /^API did not start \(exit code 1\): no luck today \(.*api\.log\)$/m,
      ));
  });
});
