import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp, createServer, type AddressInfo } from 'node:net';
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
    return { listening, options: { seconds: 1000, renewSeconds: 0.2, backend } };
  };

  const hasEnded = (backend: number): Promise<unknown> =>
    eventually(async () => {
      const { rows } = await db.raw('select from pg_stat_activity where pid = ?', [backend]);
      return rows.length === 0;
    });

  it('has one holder, until it is given back', async () => {
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

  it('can be taken before it expires when the connection of its holder has ended', async () => {
    const [first, second] = await Promise.all([connect(), connect()]);
    const lease = await takeLease(db, 'work', first.options);
    assert.ok(lease !== null);
    assert.equal(await takeLease(db, 'work', { ...second.options, renewSeconds: 0 }), null);
    await first.listening.close();
    await eventually(async () => (await takeLease(db, 'work', second.options)) !== null);
    assert.equal(await renewLease(db, 'work', lease, first.options), null);
    assert.equal(await takeLease(db, 'work', first.options), null);
  });

  it('is not taken early from a holder without a connection', async () => {
    const { options } = await connect();
    assert.ok(await takeLease(db, 'without', { ...options, backend: null }));
    assert.equal(await takeLease(db, 'without', { ...options, renewSeconds: 0 }), null);
  });

  it('lasts if the server does not know the connection of its holder', async () => {
    const unknown = { seconds: 1000, renewSeconds: 0, backend: 2_147_483_647 };
    const lease = await takeLease(db, 'unknown', unknown);
    assert.ok(lease !== null);
    assert.equal(await takeLease(db, 'unknown', unknown), null);
    assert.ok((await renewLease(db, 'unknown', lease, unknown)) !== null);
    assert.equal(await takeLease(db, 'unknown', unknown), null);
  });

  it('is kept by a holder that renews it in time, although its connection has ended', async () => {
    const [first, second] = await Promise.all([connect(), connect()]);
    const lease = await takeLease(db, 'kept', first.options);
    await first.listening.close();
    await hasEnded(first.options.backend);
    assert.equal(await takeLease(db, 'kept', { ...second.options, renewSeconds: 500 }), null);
    assert.ok(await renewLease(db, 'kept', lease!, first.options));
    assert.equal(await takeLease(db, 'kept', { ...second.options, renewSeconds: 0 }), null);
  });

  it('belongs to the connection that renewed it last', async () => {
    const [first, second] = await Promise.all([connect(), connect()]);
    const lease = await takeLease(db, 'renewed', first.options);
    await renewLease(db, 'renewed', lease!, second.options);
    await first.listening.close();
    await hasEnded(first.options.backend);
    assert.equal(await takeLease(db, 'renewed', { ...first.options, renewSeconds: 0 }), null);
  });

  it('names no connection behind a pooler, which sends process ids of its own', async () => {
    const { hostname, port } = new URL(database.url);
    const backendKeyData = Buffer.from([0x4b, 0, 0, 0, 12]);
    const pooler = createServer((client) => {
      const server = connectTcp(Number(port), hostname);
      client.pipe(server).on('error', () => client.destroy());
      client.on('error', () => server.destroy()).on('close', () => server.destroy());
      server.on('data', (data) => {
        const at = data.indexOf(backendKeyData);
        if (at !== -1) data[at + backendKeyData.length + 3]! ^= 1;
        client.write(data);
      });
    });
    await once(pooler.listen(0, hostname), 'listening');
    const url = new URL(database.url);
    url.port = `${(pooler.address() as AddressInfo).port}`;
    let isConnected = false;
    const listening = listenTo(url.href, 'leases', {
      onNotification: () => void (isConnected = true),
      onFailure: () => undefined,
    });
    open.push(listening);
    await eventually(() => isConnected);
    assert.equal(listening.backend(), null);
    await listening.close();
    pooler.close();
  });
});
