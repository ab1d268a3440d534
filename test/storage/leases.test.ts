import assert from 'node:assert/strict';
import { listenTo, type Listening } from '../../storage/database/listen.js';
import type { Db } from '../../storage/database/connection.js';
import { releaseLease, renewLease, takeLease } from '../../storage/sweeps/leases.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';

describe('a lease', () => {
  let database: TestDatabase;
  let db: Db;
  const open: Listening[] = [];
  before(async () => {
    database = await createDatabase();
    db = database.db;
  });
  after(async () => {
    await Promise.all(open.map((listening) => listening.close()));
    await database.drop();
  });

  /** Options with a connection of their own. */
  const connect = async () => {
    const ignore = (): void => undefined;
    const listening = listenTo(database.url, 'leases', { onNotification: ignore, onFailure: ignore });
    open.push(listening);
    const backend = await eventually(() => listening.backend() ?? false);
    return { listening, options: { seconds: 1000, backend } };
  };

  it('has one holder, until that gives it back', async () => {
    const { options } = await connect();
    const lease = await takeLease(db, 'given back', options);
    assert.ok(lease !== null);
    assert.equal(await takeLease(db, 'given back', options), null);
    const renewed = await renewLease(db, 'given back', lease, options);
    assert.ok(renewed !== null);
    assert.equal(await renewLease(db, 'given back', lease, options), null);
    await releaseLease(db, 'given back', renewed);
    assert.ok(await takeLease(db, 'given back', options));
  });

  it('can be taken at once when the connection of its holder has ended', async () => {
    const [first, second] = await Promise.all([connect(), connect()]);
    const lease = await takeLease(db, 'work', first.options);
    assert.ok(lease !== null);
    assert.equal(await takeLease(db, 'work', second.options), null);
    await first.listening.close();
    await eventually(async () => (await takeLease(db, 'work', second.options)) !== null);
    assert.equal(await renewLease(db, 'work', lease, first.options), null);
    assert.equal(await takeLease(db, 'work', first.options), null);
  });

  it('is not taken early from a holder without a connection', async () => {
    const { options } = await connect();
    assert.ok(await takeLease(db, 'without', { ...options, backend: null }));
    assert.equal(await takeLease(db, 'without', options), null);
  });

  it('belongs to the connection that renewed it last', async () => {
    const [first, second] = await Promise.all([connect(), connect()]);
    const lease = await takeLease(db, 'renewed', first.options);
    await renewLease(db, 'renewed', lease!, second.options);
    await first.listening.close();
    const { backend } = first.options;
    await eventually(async () => {
      const { rows } = await db.raw('select 1 from pg_stat_activity where pid = ?', [backend]);
      return rows.length === 0;
    });
    assert.equal(await takeLease(db, 'renewed', first.options), null);
  });
});
