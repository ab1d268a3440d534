import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { createKeptKeys } from '../../api/auth/kept-keys.js';
import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { startPostgres, type EmbeddedPostgres } from '../../runtime/embedded/postgres/server.js';
import { signal } from '../../runtime/embedded/process-identity.js';
import { createApiKey, type ApiKeyRow } from '../../storage/auth/api-keys.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { migrate } from '../../storage/migrate.js';
import { atExit } from '../support/at-exit.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { createGates } from '../support/network/gates.js';
import { notePlugin } from '../support/workers/note-plugin.js';
import { assertUnavailable, idsOf, refusals, startLoad, type Load } from '../support/network/outage.js';
import { proxyTo, type Proxy } from '../support/network/proxy.js';
import { assertNothingHalfStored } from '../support/stores/stored-objects.js';
import { temporaryFolder } from '../support/temporary.js';

const unavailable = 'DATABASE_UNAVAILABLE';
/** How many resources are registered before an outage and after it at least, and how often connections are cut. */
const [registrations, rounds] = isFull ? [10, 15] : [4, 6];

/** The resources of which the plugin `keeper` keeps something elsewhere; its attempts write once more when they are told to. */
const kept = new Set<string>();
const held: { readonly signal: AbortSignal; readonly end: () => void }[] = [];
const keeper = definePlugin({
  id: 'keeper',
  name: 'Keeper',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: [],
  async run({ resource, signal }) {
    kept.add(resource.id);
    await new Promise<void>((end) => held.push({ signal, end }));
    kept.add(resource.id);
  },
  cleanup({ resource }) {
    kept.delete(resource.id);
    return Promise.resolve();
  },
});

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
    core = await startCore({
      plugins: [notePlugin(), keeper],
      database: { url: url.href },
      env: { KW_DATABASE_TIMEOUT_SECONDS: '1', KW_LEASE_SECONDS: '1' },
    });
    await core.pipeline('kept', { plugin_id: 'keeper' });
    await core.pipeline('noted', { plugin_id: 'note', max_attempts: 20, backoff_seconds: 0.2 });
  });
  afterEach(() => proxy.set('pass'));
  after(async () => {
    await core.stop();
    await proxy.stop();
    await server.stop();
  });

  const register = (): Promise<Answer> => core.register('noted', 'hello');
  const list = (): Promise<Answer> => core.call('GET', '/resources?limit=5');
  const isUp = (): Promise<boolean> => list().then(({ status }) => status === 200);
  /** Resources are registered and lists are asked for, and nothing has gone wrong yet. */
  const underLoad = async (): Promise<Load> => {
    const load = startLoad(register, list);
    await eventually(() => idsOf(load.answers).length >= registrations);
    assert.deepEqual(refusals(load.answers), []);
    return load;
  };
  const goesOn = async ({ answers }: Load): Promise<void> => {
    const soFar = idsOf(answers).length;
    await eventually(() => idsOf(answers).length >= soFar + registrations);
  };

  /**
   * Every resource that is there is whole, was processed once, and owns every object that is stored; but for those whose
   * commit broke off: whether their resource is there was unknown.
   */
  const nothingIsHalfWritten = async (registered: readonly string[], brokenOff: number): Promise<void> => {
    const ids: string[] = await core.deps.db('resources').pluck('id');
    assert.deepEqual(
      registered.filter((id) => !ids.includes(id)),
      [],
      'answered 201 and lost',
    );
    await eventually(
      async () => (await core.deps.db('resources').where({ status: 'PROCESSING' })).length === 0,
    );
    const count = (table: string): string =>
      `(select count(*)::int from ${table} t where t.resource_id = r.id)`;
    const { rows } = await core.deps.db.raw<{ rows: object[] }>(
      `select r.id, r.status, r.run, ${count('steps')} as steps, ${count('artifacts')} as artifacts
       from resources r where (r.status, r.run, ${count('steps')}, ${count('artifacts')}) <> ('COMPLETED', 1, 1, 1)`,
    );
    assert.deepEqual(rows, []);
    await assertNothingHalfStored(core.deps, { orphansAllowed: brokenOff });
  };

  it('killed under load and restarted: 503 with Retry-After meanwhile, then full recovery', async () => {
    const load = await underLoad();
    process.kill(server.daemon.identity.pid, 'SIGKILL');
    await eventually(() => refusals(load.answers).length >= 3);
    await startServer();
    await goesOn(load);
    await load.end();
    assertUnavailable(unavailable, refusals(load.answers));
    await nothingIsHalfWritten(idsOf(load.answers), load.callers);
  });

  it('restarted by its operator under load: the same', async () => {
    const load = await underLoad();
    const { pid } = server.daemon.identity;
    await server.stop();
    await eventually(() => refusals(load.answers).length >= 3);
    await startServer();
    assert.notEqual(server.daemon.identity.pid, pid);
    await goesOn(load);
    await load.end();
    assertUnavailable(unavailable, refusals(load.answers));
    await nothingIsHalfWritten(idsOf(load.answers), load.callers);
  });

  it('with high latency: slower; disconnected repeatedly: at worst 503', async () => {
    await proxy.set({ delayMs: 50 });
    const begun = Date.now();
    const { status, body } = await register();
    assert.equal(status, 201);
    assert.ok(Date.now() - begun > 200, `${Date.now() - begun} ms`);
    await core.settled(body.id);
    await proxy.set('pass');

    const load = startLoad(register, list);
    for (let round = 0; round < rounds;) {
      await pause(100 + Math.random() * 100);
      if (proxy.cut() > 0) round++;
    }
    await eventually(isUp);
    await goesOn(load);
    await load.end();
    assertUnavailable(unavailable, refusals(load.answers));
    await nothingIsHalfWritten(idsOf(load.answers), rounds * load.callers);
  });

  it('down: a key that scraped the metrics before still gets them, and no other key does', async () => {
    const scrape = async (key: string): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${core.base}/metrics`, { headers: { authorization: `Bearer ${key}` } });
      return { status: response.status, text: await response.text() };
    };
    const { key: other } = await createApiKey(core.deps.db, { name: 'other', scopes: ['read'] });
    assert.equal((await scrape(core.adminKey)).status, 200);
    await proxy.set('refuse');
    await eventually(async () => (await list()).status === 503);
    const { status, text } = await scrape(core.adminKey);
    assert.equal(status, 200, text);
    assert.match(text, /^kw_http_request_duration_seconds_count\{.*status="503"\}/m);
    assert.equal((await scrape(other)).status, 503);
    await proxy.set('pass');
    await eventually(isUp);
  });

  it('not responding: a kept key is accepted after a short wait', async () => {
    const row = { id: 'kept' } as ApiKeyRow;
    const answers = [Promise.resolve(row), new Promise<null>(() => undefined)];
    const find = createKeptKeys(() => answers.shift() ?? Promise.resolve(null), 10);
    for (const _answer of [...answers]) assert.equal(await find('kw_kept'), row);
    assert.equal(await find('kw_kept'), null);
  });

  it('that accepts connections but never responds: 503 within seconds, and recovery', async () => {
    assert.equal((await register()).status, 201);
    const caught = proxy.caught();
    await proxy.set('hang');
    const begun = Date.now();
    const answers = await Promise.all([register(), list(), register()]);
    // A statement of this process may take three seconds, and the server one more to say that it took too long.
    assert.ok(Date.now() - begun < 30_000, `${Date.now() - begun} ms`);
    assert.equal(refusals(answers).length, answers.length);
    assertUnavailable(unavailable, answers);
    assert.ok(proxy.caught() > caught, 'nothing was asked of PostgreSQL');
    await proxy.set('pass');
    await eventually(isUp);
    await nothingIsHalfWritten([], 0);
  });

  it('down when an attempt ends whose resource was deleted: its objects are removed after recovery', async () => {
    const { id } = await core.upload('kept');
    const attempt = await eventually(() => held[0]);
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
    await core.call('DELETE', `/resources/${id}`);
    await eventually(() => !kept.has(id));
    const pending = async () => (await core.call('GET', '/plugins/keeper')).body.pending_clean_ups?.count;
    await eventually(async () => (await pending()) === 0);
    await eventually(() => attempt.signal.aborted);
    // Nobody but the attempt asks the database for anything.
    await core.stopSweeps();
    await proxy.set('refuse');
    const { pool } = core.deps.db.client;
    const isRefused = new Promise((resolve) => pool.on('acquireFail', resolve));
    attempt.end();
    await isRefused;
    assert.ok(kept.has(id));
    await proxy.set('pass');
    core.startSweeps();
    await eventually(() => !kept.has(id));
    await eventually(async () => (await pending()) === 0);
  });

  it('disconnected during a commit that completes later: 503, and the resource has its file', async () => {
    const gates = await createGates(server.url);
    try {
      await gates.add('commit', 'after insert on resources deferrable initially deferred for each row');
      await gates.close('commit', 'late');
      const answer = core.register('noted', 'hello', 'late');
      await eventually(() => gates.isReached('commit', 'late'));
      assert.ok(proxy.cut() > 0);
      assertUnavailable(unavailable, [await answer]);
      assert.deepEqual(await core.deps.db('resources').where({ name: 'late' }), []);
      await gates.open('commit', 'late');
      await eventually(async () => (await core.deps.db('resources').where({ name: 'late' })).length === 1);
    } finally {
      await gates.stop();
    }
    await nothingIsHalfWritten([], 0);
  });
});
