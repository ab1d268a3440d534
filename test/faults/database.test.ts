import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { definePlugin } from '../../plugins/sdk/index.js';
import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { startPostgres, type EmbeddedPostgres } from '../../runtime/embedded/postgres.js';
import { signal } from '../../runtime/embedded/process-identity.js';
import { connectDatabase } from '../../storage/database.js';
import { migrate } from '../../storage/migrate.js';
import { sweepOrphans } from '../../storage/orphans.js';
import { atExit } from '../support/at-exit.js';
import { startCore, type Answer, type TestCore } from '../support/core.js';
import { eventually } from '../support/eventually.js';
import { proxyTo, type Proxy } from '../support/proxy.js';
import { temporaryFolder } from '../support/temporary.js';

describe('PostgreSQL', () => {
  let server: EmbeddedPostgres;
  let proxy: Proxy;
  let core: TestCore;
  const paths = dataPaths(temporaryFolder());

  const startServer = async (): Promise<void> => {
    server = await startPostgres(paths, keptPorts(paths.ports), { portWaitMs: 10_000 });
    const { identity } = server.daemon;
    atExit(() => signal(identity, 'SIGKILL', 'group'));
  };

  before(async () => {
    await startServer();
    const db = connectDatabase(server.url, { poolSize: 1 });
    await migrate(db);
    await db.destroy();
    proxy = await proxyTo(server.url);
    const url = new URL(server.url);
    url.host = proxy.address;
    const plugin = definePlugin({
      id: 'note',
      name: 'Note',
      version: '1.0.0',
      configSchema: { type: 'object' },
      produces: ['note'],
      run: (ctx) => ctx.emit({ type: 'note', content_type: 'text', content: `of ${ctx.resource.id}` }),
    });
    core = await startCore({ plugins: [plugin], database: { url: url.href } });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 20, backoff_seconds: 0.2 });
  });
  afterEach(() => proxy.set('pass'));
  after(async () => {
    await core.stop();
    await proxy.stop();
    await server.stop();
  });

  const register = async (): Promise<Answer> => {
    const form = new FormData();
    form.set('name', 'A text');
    form.set('type', 'noted');
    form.set('file', new Blob(['hello']), 'text.txt');
    return await core.call('POST', '/resources', form);
  };
  const isUp = (): Promise<boolean> =>
    core.call('GET', '/resources?limit=1').then(({ status }) => status === 200);

  /** Calls the API from several sides, as fast as it answers, until it is told to end. */
  function load(): { readonly answers: Answer[]; readonly end: () => Promise<void> } {
    const answers: Answer[] = [];
    let over = false;
    const caller = async (): Promise<void> => {
      while (!over) {
        answers.push(await register());
        answers.push(await core.call('GET', '/resources?limit=5'));
        await pause(20);
      }
    };
    const callers = [caller(), caller(), caller()];
    return {
      answers,
      async end() {
        over = true;
        await Promise.all(callers);
      },
    };
  }

  const refusals = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status >= 400);
  const assertRefusedWell = (answers: readonly Answer[]): void => {
    for (const { status, body, headers } of refusals(answers)) {
      assert.deepEqual([status, body.error?.code], [503, 'DATABASE_UNAVAILABLE']);
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    }
  };

  /** Every resource that is there is whole, was processed once, and owns every object that is stored. */
  const nothingIsHalfWritten = async (registered: readonly string[]): Promise<void> => {
    const { db, objectStore } = core.deps;
    const rows: { id: string; object_key: string }[] = await db('resources').select('id', 'object_key');
    const ids = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      registered.filter((id) => !ids.has(id)),
      [],
      'answered 201 and lost',
    );
    for (const { id } of rows) {
      const resource = await core.settled(id, 45_000);
      const found = [resource.status, resource.run, resource.steps.length, resource.artifacts.length];
      assert.deepEqual(found, ['COMPLETED', 1, 1, 1]);
    }
    // Objects of requests and attempts that broke off at their commit are left to the sweep of orphans.
    await sweepOrphans(db, objectStore, {
      after: null,
      limit: 100_000,
      before: new Date(Date.now() + 60_000),
    });
    await eventually(async () => {
      const stored: string[] = [];
      for await (const { key } of objectStore.list('resources/')) stored.push(key);
      const artifacts: string[] = await db('artifacts').pluck('object_key');
      assert.deepEqual(stored.sort(), [...rows.map(({ object_key }) => object_key), ...artifacts].sort());
      return true;
    });
  };
  const idsOf = (answers: readonly Answer[]): string[] =>
    answers.filter(({ status }) => status === 201).map(({ body }) => body.id);

  it('killed under load, and started again: 503 with Retry-After meanwhile, then everything goes on', async function () {
    this.timeout(120_000);
    const { answers, end } = load();
    await eventually(() => idsOf(answers).length >= 10);
    assert.deepEqual(refusals(answers), []);

    process.kill(server.daemon.identity.pid, 'SIGKILL');
    await eventually(() => refusals(answers).length >= 3, { timeoutMs: 20_000 });
    const during = idsOf(answers).length;
    await startServer();
    await eventually(() => idsOf(answers).length >= during + 10, { timeoutMs: 20_000 });
    await end();

    assertRefusedWell(answers);
    await nothingIsHalfWritten(idsOf(answers));
  });

  it('restarted by its operator under load: the same', async function () {
    this.timeout(120_000);
    const { answers, end } = load();
    await eventually(() => idsOf(answers).length >= 10);
    const { pid } = server.daemon.identity;
    await server.stop();
    await startServer();
    assert.notEqual(server.daemon.identity.pid, pid);
    const before = idsOf(answers).length;
    await eventually(() => idsOf(answers).length >= before + 10, { timeoutMs: 20_000 });
    await end();
    assert.ok(refusals(answers).length > 0, 'nobody noticed');
    assertRefusedWell(answers);
    await nothingIsHalfWritten(idsOf(answers));
  });

  it('far away: slower; cut off again and again: 503 at worst', async function () {
    this.timeout(120_000);
    await proxy.set({ delayMs: 50 });
    const begun = Date.now();
    const { status, body } = await register();
    assert.equal(status, 201);
    assert.ok(Date.now() - begun > 200, `${Date.now() - begun} ms`);
    await core.settled(body.id);
    await proxy.set('pass');

    const { answers, end } = load();
    let cuts = 0;
    for (let round = 0; round < 15; round++) {
      await pause(100 + Math.random() * 100);
      cuts += proxy.cut();
    }
    await eventually(isUp);
    await end();
    assert.ok(cuts >= 15, `${cuts} connections were cut`);
    assertRefusedWell(answers);
    assert.ok(idsOf(answers).length > 10);
    await nothingIsHalfWritten(idsOf(answers));
  });

  it('that takes connections and says nothing: 503 within seconds, and recovery', async function () {
    this.timeout(90_000);
    await proxy.set('hang');
    const before = proxy.caught();
    const begun = Date.now();
    const answers = await Promise.all([register(), core.call('GET', '/resources'), register()]);
    assert.ok(Date.now() - begun < 40_000, `${Date.now() - begun} ms`);
    assert.equal(refusals(answers).length, answers.length);
    assertRefusedWell(answers);
    assert.ok(proxy.caught() > before);
    await proxy.set('pass');
    await eventually(isUp, { timeoutMs: 40_000 });
    await nothingIsHalfWritten([]);
  });
});
