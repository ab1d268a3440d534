import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { isListening } from '../../runtime/embedded/ports.js';
import { identify } from '../../runtime/embedded/process-identity.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { runStart, startStack, type StackOptions, type TestStack } from '../support/service/stack.js';
import { startTemporal } from '../support/servers/temporal.js';
import { temporaryFolder } from '../support/temporary.js';

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

  const fails = async (options: StackOptions, line: RegExp): Promise<void> => {
    const { code, stderr } = await runStart({ services, ...options });
    assert.equal(code, 1);
    assert.match(stderr, line);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  };

  describe('while it runs', () => {
    let running: TestStack;
    before(async () => {
      running = await startStack({ services });
    });
    after(() => running.stop());

    it('prints where everything is', async () => {
      const { api, port, dataDir, adminKey, output } = running;
      const description = running.stack();
      assert.equal(api, `http://127.0.0.1:${port}`);
      assert.deepEqual(Object.keys(description.processes).sort(), [
        'api',
        'postgres',
        'supervisor',
        'temporal',
        'worker',
      ]);
      assert.equal(await pidOfApi(api), description.processes['api']);
      assert.equal(description.temporal_namespace, 'default');
      assert.equal((await fetch(description.temporal_ui!)).status, 200);
      assert.match(adminKey, /^kw_/);
      for (const name of ['admin-key', 'stack.json', 'secret']) {
        assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name);
      }
      for (const told of [
        api,
        description.temporal_ui!,
        join(dataDir, 'admin-key'),
        'curl -H',
        'Other users of',
      ]) {
        assert(output().includes(told), told);
      }
    });

    it('shows warnings of the API and the worker, without control sequences', () =>
      eventually(() => running.output().includes('worker warn: only a stub: of ]0;a plugin  database=')));

    it('refuses a second start in its data directory', () =>
      fails(
        { dataDir: running.dataDir },
        /^KW_DATA_DIR: .* is in use by another "npm start" \(process \d+\)\.$/m,
      ));

    it('restarts processes that die, at the published address as soon as the port is free', async () => {
      const { api, stack: read, output } = running;
      const { database_url, temporal_address, processes: before } = read();
      const squatters = Object.entries({
        postgres: new URL(database_url).host,
        temporal: temporal_address,
      }).map(([name, address]) => ({
        name,
        address,
        port: Number(address.split(':')[1]),
        server: createServer(),
      }));
      // The signal makes the worker exit by itself, with code 0.
      process.kill(before['worker']!, 'SIGTERM');
      for (const name of ['api', 'postgres', 'temporal']) process.kill(before[name]!, 'SIGKILL');
      try {
        // Both at once: each is free only until its process is restarted, a quarter of a second later.
        await Promise.all(
          squatters.map(({ port, server }) =>
            eventually(async () => once(server.listen(port, '127.0.0.1'), 'listening'), { intervalMs: 5 }),
          ),
        );
        for (const { name, address } of squatters) {
          const complaint = `${name} cannot start again: its port, ${address}, is in use`;
          await eventually(() => output().includes(complaint));
          assert.equal(read().processes[name], before[name]);
        }
      } finally {
        for (const { server } of squatters) server.close();
      }
      await eventually(() =>
        Object.entries(read().processes).every(
          ([name, pid]) => pid !== before[name] || name === 'supervisor',
        ),
      );
      for (const { port } of squatters) await eventually(() => isListening(port));
      await eventually(async () => (await pidOfApi(api)) === read().processes['api']);
      await eventually(async () => {
        const db = connectDatabase(read().database_url, { poolSize: 1 });
        await db.raw('select 1').finally(() => void db.destroy());
        return true;
      });
      assert.match(output(), /worker has ended \(exit code 0\) and is being restarted/);
      assert.match(output(), /api has ended \(SIGKILL\) and is being restarted/);
      assert.equal(read().database_url, database_url);
      assert.equal(read().temporal_address, temporal_address);
    });
  });

  it('finds everything unchanged after kill -9 and after a stop, and avoids ports given to API and metrics', async () => {
    // The path has characters that a URI would read differently.
    const first = await start({ dataDir: join(temporaryFolder(), 'a?b#c%20d') });
    const before = first.stack();
    assert(existsSync(join(first.dataDir, 'temporal', 'temporal.db')));
    const db = connectDatabase(before.database_url, { poolSize: 1 });
    await db.raw('create table kept as select 1 as n').finally(() => void db.destroy());
    await first.kill9();

    const { port, dataDir, adminKey } = first;
    const second = await start({ dataDir, port, env: { STUB_WORKER_STOP_MS: '300000' } });
    const after = second.stack();
    assert.deepEqual({ ...after, processes: null }, { ...before, processes: null });
    assert.equal(second.adminKey, adminKey);
    assert(isGone(before.processes));
    const again = connectDatabase(after.database_url, { poolSize: 1 });
    assert.equal((await again('kept').finally(() => void again.destroy())).length, 1);

    // Its worker takes longer than it is given.
    const began = Date.now();
    assert.equal(await second.stop('SIGINT'), 0);
    assert(Date.now() - began < 120_000, `${Date.now() - began} ms`);
    assert(isGone(after.processes));
    assert.throws(() => second.stack(), 'stack.json is still there');

    unlinkSync(join(dataDir, 'admin-key'));
    const moved = Number(new URL(`http://${after.temporal_address}`).port);
    const third = await start({
      dataDir,
      port: moved,
      env: { KW_WORKER_METRICS_ADDRESS: new URL(after.temporal_ui!).host },
    });
    const last = third.stack();
    assert.notEqual(third.adminKey, adminKey, 'where its file is gone a new key is made');
    assert.match(third.adminKey, /^kw_/);
    assert.equal(await pidOfApi(`http://127.0.0.1:${moved}`), last.processes['api']);
    assert.notEqual(last.temporal_address, after.temporal_address);
    assert.notEqual(last.temporal_ui, after.temporal_ui);
    assert.equal(last.database_url, after.database_url);
    assert.equal(await third.stop('SIGTERM'), 0);
    assert(isGone(last.processes));
  });

  describe('with external parts', () => {
    let database: TestDatabase;
    before(async () => {
      database = await createDatabase({ migrated: false });
    });
    after(() => database.drop());

    it('starts only the missing parts, and waits with the worker for one that is down', async () => {
      const temporal = await startTemporal();
      const running = await start({
        env: {
          DATABASE_URL: database.url,
          ...temporal.env,
          KW_SECRET: secret,
          STUB_WORKER_WAITS_FOR: 'Temporal',
        },
      });
      assert.match(running.output(), /Worker +waits for Temporal /);
      assert.deepEqual(Object.keys(running.stack().processes).sort(), ['api', 'supervisor', 'worker']);
      assert.equal(running.stack().database_url, database.url);
      assert.equal(running.stack().temporal_ui, null);
      assert.equal(await running.stop(), 0);
    });
  });

  describe('refuses to start, with one line, for', () => {
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

    it('a wrong setting', () => fails({ env: { KW_SEED: 'maybe' } }, /^KW_SEED must be true or false/));

    it('a missing setting', () =>
      fails({ env: { DATABASE_URL: 'postgres://127.0.0.1:1/kw' } }, /^KW_SECRET is missing/));

    it('a database that does not respond', () =>
      fails(
        { env: { DATABASE_URL: 'postgres://127.0.0.1:1/kw', KW_SECRET: secret } },
        /^The database could not be prepared: .*ECONNREFUSED/,
      ));

    it('a Temporal CLI that does not exist', () =>
      fails(
        { env: { TEMPORAL_CLI_PATH: '/nowhere' } },
        /^TEMPORAL_CLI_PATH: \/nowhere is not a Temporal CLI that runs on this machine\.$/m,
      ));

    it('an API that does not start, and stops the rest', async () => {
      const dataDir = join(temporaryFolder(), 'data');
      const { env } = await startTemporal();
      await fails(
        { dataDir, env: { ...env, STUB_API_FAILS: 'no luck\u001b[2J today' } },
        /^API did not start \(exit code 1\): no luck \[2J today \(.*api\.log\)$/m,
      );
      const { postgres } = JSON.parse(readFileSync(dataPaths(dataDir).ports, 'utf8'));
      assert.equal(await isListening(postgres), false, 'PostgreSQL still runs');
    });
  });
});
