import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { untilDone } from '../../activities/worker/until-done.js';
import { eventually } from '../support/eventually.js';
import { createKw, type Kw } from '../support/service/kw.js';
import { proxyTo } from '../support/network/proxy.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { temporaryFolder } from '../support/temporary.js';

/** Prints the bundled packages that a process loads; the one named by TEST_NEVER_LOADED never gets ready. */
const loadLog = pathToFileURL(resolve('test/support/load-log.mjs')).href;
/** Nothing listens there. */
const away = '127.0.0.1:1';

describe('a process that waits at its start', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  const settings = {
    TEMPORAL_ADDRESS: away,
    KW_SECRET: 'a-secret-of-the-tests-alone',
    KW_PUBLIC_URL: 'http://127.0.0.1:8080',
    KW_DRAIN_SECONDS: '0',
  };
  const stops = async (
    signal: NodeJS.Signals,
    slow: string,
    ...waitsFor: readonly RegExp[]
  ): Promise<void> => {
    const env = {
      ...settings,
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import=${loadLog}`,
      TEST_NEVER_LOADED: slow,
    };
    const { child, said, ended } = createKw(env).start('worker');
    await eventually(() => waitsFor.every((expected) => expected.test(said.stdout)));
    child.kill(signal);
    assert.equal((await ended).code, 0);
  };

  it('as a worker for Temporal loads what short texts need, and stops on SIGINT', () =>
    stops(
      'SIGINT',
      '',
      /could not connect to Temporal/,
      /loaded bundled\/o200k_base/,
      /loaded bundled\/tinyld/,
    ));

  it('as a worker for Temporal tells its parent, and stops with it', async () => {
    const child = fork(resolve('dist/bin/worker.js'), {
      env: { ...settings, DATABASE_URL: database.url, KW_DATA_DIR: temporaryFolder() },
      cwd: temporaryFolder(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [message] = await once(child, 'message');
    assert.deepEqual(message, { type: 'waiting', for: 'Temporal' });
    child.disconnect();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('ends as usual if its parent is gone before it reports', async () => {
    const child = fork(resolve('test/support/service/tell-late.mjs'), { execArgv: [] });
    await once(child, 'message');
    child.disconnect();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  for (const [what, failures, patienceMs, expected] of [
    ['if tries fail for long', 2, 0, 1],
    ['unless no try has failed', 0, 0, 0],
    ['unless it has only just begun', 1, 60_000, 0],
  ] as const)
    it(`says once that it waits, ${what}`, async () => {
      let [tries, told] = [0, 0];
      const work = (): Promise<string> =>
        tries++ < failures ? Promise.reject(new Error('away')) : Promise.resolve('done');
      const result = await untilDone('work', work, {
        ...{ log: { warn: () => undefined }, stopping: new AbortController().signal, patienceMs },
        onWaiting: () => (told += 1),
      });
      assert.deepEqual([result, told], ['done', expected]);
    });

  it('as a worker for a processor that loads what short texts need stops on SIGTERM', () =>
    stops('SIGTERM', 'bundled/tinyld', /could not connect to Temporal/, /loaded bundled\/tinyld/));

  it('for the tables of its database, which was down before, says that "kw migrate" makes them, and stops on SIGTERM', async () => {
    const empty = await createDatabase({ migrated: false });
    const port = String(await reservePort());
    const proxy = await proxyTo(empty.url);
    await proxy.set('refuse');
    const throughProxy = new URL(empty.url);
    throughProxy.host = proxy.address;
    const kw = (databaseUrl: string): Kw =>
      createKw({
        ...settings,
        DATABASE_URL: databaseUrl,
        PORT: port,
        KW_SWEEP_INTERVAL_SECONDS: '0.1',
      });
    const processes = [kw(empty.url).start('serve'), kw(throughProxy.href).start('worker')] as const;
    const [api, worker] = processes;
    try {
      await eventually(() => /could not register the built-in plugins/.test(worker.said.stdout));
      await proxy.set('pass');
      const message = 'The database lacks tables of the service: run "kw migrate".';
      await eventually(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
        const ready = (await answer?.json()) as { checks: { postgresql: { message: string } } } | undefined;
        return ready?.checks.postgresql.message === message;
      });
      await eventually(() =>
        /could not register .*: The database lacks tables .* migrate\\"; retrying/.test(worker.said.stdout),
      );
      const failures = (): string[] =>
        api.said.stdout
          .split('\n')
          .filter((line) => /a sweep failed.*lacks tables|lacks tables.*a sweep failed/.test(line));
      await eventually(() => failures().length > 0);
      assert.equal(failures().length, 1);
      for (const { child } of processes) child.kill('SIGTERM');
      assert.deepEqual(
        (await Promise.all(processes.map(({ ended }) => ended))).map(({ code }) => code),
        [0, 0],
      );
    } finally {
      for (const { child } of processes) child.kill();
      await Promise.all(processes.map(({ ended }) => ended));
      await proxy.stop();
      await empty.drop();
    }
  });
});
