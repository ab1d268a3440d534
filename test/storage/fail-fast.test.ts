import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { connectDatabase, isDatabaseUnavailable, type Db } from '../../storage/database/connection.js';
import { createConnectionGate } from '../../storage/database/fail-fast.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { openGate, type TcpGate } from '../support/network/tcp-gate.js';

describe('a PostgreSQL connection pool', () => {
  let database: TestDatabase;
  let gate: TcpGate;
  let address: string;
  let db: Db;

  before(async () => {
    database = await createDatabase({ migrated: false });
  });
  after(() => database.drop());
  beforeEach(async () => {
    gate = await openGate(database.url);
    const url = new URL(database.url);
    url.port = String(gate.port);
    address = url.href;
    db = connectDatabase(address, { poolSize: 2, statementMs: 500, waitMs: 2_000 });
  });
  afterEach(async () => {
    await db.destroy();
    await gate.close();
  });

  const ask = async (): Promise<unknown> => await db.raw('select 1');

  /** How long it takes until all of so many queries have failed as they do while the database is away; milliseconds. */
  const failAll = async (count: number): Promise<number> => {
    const begun = Date.now();
    const results = await Promise.allSettled(Array.from({ length: count }, ask));
    for (const result of results) {
      assert.ok(result.status === 'rejected' && isDatabaseUnavailable(result.reason), JSON.stringify(result));
    }
    return Date.now() - begun;
  };

  it('fails all callers at once while the server is down, and hardly burdens it', async () => {
    gate.set('gone');
    // A query that waits for the server itself waits for ten seconds and more.
    const first = await failAll(200);
    assert.ok(first < 5_000, `${first} ms`);
    assert.ok(gate.tries > 0, 'it was tried');
    const second = await failAll(200);
    assert.ok(second < 5_000, `${second} ms`);
    // Both connections of the pool at first, and one every quarter of a second from then on.
    const most = 3 + Math.ceil((first + second) / 250);
    assert.ok(gate.tries <= most, `${gate.tries} tries`);
  });

  it('works again by itself after the server was down, even if connections were cut', async () => {
    await Promise.all([ask(), ask()]);
    gate.set('gone');
    await failAll(10);
    gate.set('open');
    await eventually(() => ask().catch(() => false));
    await Promise.all(Array.from({ length: 20 }, ask));
  });

  it('fails in time while the server accepts connections but never responds', async () => {
    gate.set('hung');
    const first = await failAll(20);
    assert.ok(first > 1_000 && first < 20_000, `${first} ms`);
    // One of them may be the next try, which waits.
    const second = await Promise.race(Array.from({ length: 20 }, () => failAll(1)));
    assert.ok(second < first / 2, `${first} ms, then ${second} ms`);
    gate.set('open');
    await eventually(() => ask().catch(() => false));
  });

  it('gives up a query that is never answered, and its connection', async () => {
    await ask();
    const before = gate.tries;
    gate.set('hung');
    await assert.rejects(ask(), (error) => isDatabaseUnavailable(error));
    gate.set('open');
    await eventually(() => ask().catch(() => false));
    assert.ok(gate.tries > before, 'with a new connection');
  });

  it('fails in time if every connection is in use, and continues when one is free', async () => {
    const held = await Promise.all([db.transaction(), db.transaction()]);
    const took = await failAll(5);
    assert.ok(took > 1_000 && took < 20_000, `${took} ms`);
    await Promise.all(held.map((transaction) => transaction.rollback()));
    await ask();
    assert.equal(gate.tries, 2);
  });

  it('continues with its connections if the server is full, and tries it rarely; else its error is known', async () => {
    const patient = connectDatabase(address, { poolSize: 8, waitMs: 10_000 });
    const [held, kept] = [await patient.transaction(), await db.transaction()];
    const limited = await limitConnections(database, 1);
    const other = connectDatabase(database.url, { poolSize: 2 });
    try {
      const [before, since] = [gate.tries, performance.now()];
      const waiting = Promise.allSettled(
        Array.from({ length: 12 }, async () => await patient.raw('select 1')),
      );
      await eventually(() => gate.tries > before + 9);
      // All seven free places of the pool at first, and one every quarter of a second from then on.
      const most = 8 + Math.ceil((performance.now() - since) / 250);
      assert.ok(gate.tries - before <= most, `${gate.tries - before} tries, not ${most}`);
      await held.raw('select 1');
      await held.rollback();
      for (const result of await waiting) assert.equal(result.status, 'fulfilled');

      await assert.rejects(ask(), { code: '53300' });
      const begun = Date.now();
      await assert.rejects(other.raw('select 1'), { code: '53300' });
      assert.ok(Date.now() - begun < 5_000, 'at once');
    } finally {
      for (const one of [held, kept]) if (!one.isCompleted()) await one.rollback();
      await Promise.all([other.destroy(), patient.destroy()]);
      await limited.lift();
    }
  });

  it('considers a PgBouncer full that refuses more connections', () => {
    const pool = Object.assign(new EventEmitter(), {
      ...{ propagateCreateError: true, numUsed: () => 1, numFree: () => 0 },
    });
    createConnectionGate().watch(pool);
    const failsCaller = (message: string): boolean => {
      pool.emit('createFail', 1, Object.assign(new Error(message), { code: '08P01' }));
      return pool.propagateCreateError;
    };
    assert.equal(failsCaller('no more connections allowed (max_client_conn)'), false);
    assert.equal(failsCaller('unsupported startup parameter: statement_timeout'), true);
  });
});

/** Has the server refuse more than so many connections to a database. */
async function limitConnections(database: TestDatabase, most: number): Promise<{ lift(): Promise<void> }> {
  const name = new URL(database.url).pathname.slice(1);
  await database.db.raw(`alter database ${name} connection limit ${most}`);
  return {
    async lift() {
      await database.db.raw(`alter database ${name} connection limit -1`);
    },
  };
}
