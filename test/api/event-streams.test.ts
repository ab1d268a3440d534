import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { revokeApiKey } from '../../storage/auth/api-keys.js';
import { removeForeignEvents, removeOldEvents } from '../../storage/events.js';
import { askOnce } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import {
  addPast,
  first,
  startLiveChanges,
  typesOf,
  type LiveChanges,
} from '../support/service/live-changes.js';
import { seededRandom } from '../support/models/random.js';

const daySeconds = 86_400;

describe('streams of live changes', () => {
  let database: LiveChanges['database'];
  let api: LiveChanges['api'];
  let other: LiveChanges['other'];
  let bearer: LiveChanges['bearer'];
  let open: LiveChanges['open'];
  let idsAfter: LiveChanges['idsAfter'];
  let changes: LiveChanges;
  before(async () => {
    changes = await startLiveChanges();
    ({ database, api, other, bearer, open, idsAfter } = changes);
  });
  afterEach(() => changes.cutAll());
  after(() => changes.stop());

  const metric = async (name: string): Promise<number> => {
    const { text } = await api.call('GET', '//metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('resume after a Last-Event-ID, in the header or in the query, at any replica', async () => {
    const stream = await open();
    const ids = [await addPast(database.db), await addPast(database.db), await addPast(database.db)];
    await first(stream, 'resource.created', ids[2]);
    const [, middle] = stream.events.slice(1);
    const resumed = [
      await open('/events', { at: other, lastId: middle!.id }),
      await open(`/events?last_event_id=${middle!.id}`),
      await open(`/events?last_event_id=nonsense`, { lastId: middle!.id }),
    ];
    for (const again of resumed) {
      await first(again, 'resource.created', ids[2]);
      assert.deepEqual(
        again.events.map((event) => event.data.id),
        [ids[1] === middle!.data.id ? ids[2] : null],
      );
    }
  });

  it('deliver each event exactly once while they are cut at random during transactions of all kinds', async function () {
    const random = seededRandom(20_251_121);
    const rounds = isFull ? 40 : 20;
    const start = await open();
    const began = start.lastId()!;
    let writing = true;
    const write = async (): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        const [seconds, fate, count] = [random() * 0.03, random(), 1 + Math.floor(random() * 8)];
        await database.db
          .transaction(async (trx) => {
            // The number of a transaction is that of its first write, its events may come much later.
            if (fate < 0.5) await trx.raw('select pg_current_xact_id()');
            await trx.raw('select pg_sleep(?)', [seconds]);
            for (let each = 0; each < count; each += 1) await addPast(trx);
            await trx.raw('select pg_sleep(?)', [seconds]);
            if (fate > 0.85) throw new Error('Changed my mind.');
          })
          .catch((error: unknown) => assert.equal((error as Error).message, 'Changed my mind.'));
      }
    };
    const writers = Promise.all(Array.from({ length: 8 }, write)).finally(() => (writing = false));

    const seen: string[] = [];
    let lastId = began;
    let cuts = 0;
    const isComplete = async (): Promise<boolean> => !writing && (await idsAfter(lastId)).length === 0;
    while (!(await isComplete())) {
      const stream = await open('/events', { at: cuts % 2 === 0 ? api : other, lastId });
      await pause(random() * 60);
      stream.cut();
      cuts += 1;
      assert.ok(!typesOf(stream).includes('reset'));
      seen.push(...stream.events.map((event) => event.id));
      lastId = stream.lastId() ?? lastId;
    }
    await writers;
    assert.deepEqual(seen, await idsAfter(began));
    assert.ok(seen.length >= 20 * rounds, `${seen.length} events`);
    assert.ok(cuts >= 5, `${cuts} cuts`);
    await eventually(() => start.events.length === seen.length + 1);
    assert.deepEqual(
      start.events.slice(1).map((event) => event.id),
      seen,
    );
  });

  it('of a resource that is deleted while its stream opens do not wait for ever', async () => {
    const id = await addPast(database.db);
    const { events } = api.deps;
    const follow: typeof events.follow = async (...args) => {
      assert.equal((await api.call('DELETE', `/resources/${id}`)).status, 204);
      return await events.follow(...args);
    };
    const headers = { authorization: `Bearer ${bearer}` };
    const { response, text } = await askOnce(
      { ...api.deps, events: { ...events, follow } },
      `/api/v1/resources/${id}/events`,
      { headers },
    );
    assert.deepEqual([response.status, JSON.parse(text).error.code], [404, 'NOT_FOUND']);
  });

  it('deliver a transaction that commits late in its place, before those that began after it', async () => {
    const stream = await open();
    const late = await database.db.transaction();
    const ids = [await addPast(late, 'Late')];
    ids.push(await addPast(database.db, 'Soon'));
    const beside = await open('/events', { settled: false });
    await pause(300);
    assert.deepEqual(typesOf(stream), ['ready']);
    await late.commit();
    for (const each of [stream, beside]) {
      await first(each, 'resource.created', ids[1]);
      assert.deepEqual(
        each.events.slice(1).map((event) => event.data.id),
        ids,
      );
    }
  });

  it('start with a reset event if their position is no longer stored or from another database', async () => {
    const stream = await open();
    const ids = [await addPast(database.db), await addPast(database.db), await addPast(database.db)];
    await first(stream, 'resource.created', ids[2]);
    const [ready, one, two, three] = stream.events.map((event) => event.id);
    const [origin, txid] = three!.split('-');
    const startsWith = async (lastId: string): Promise<string | undefined> => {
      const again = await open('/events', { lastId, at: other });
      const id = await addPast(database.db);
      await first(again, 'resource.created', id);
      assert.ok(!typesOf(again).slice(1).includes('reset'));
      return again.events[0]?.type;
    };
    const foreign = `${'0'.repeat(12)}-${txid}-1`;
    const future = `${origin}-${BigInt(txid!) + 1_000_000n}-1`;
    for (const unknown of ['nonsense', foreign, future, `${origin}-${2n ** 64n}-1`, '💥'.slice(0, 0) + '-'])
      assert.equal(await startsWith(unknown), 'reset', unknown);

    await database
      .db('events')
      .where('txid', '<=', database.db.raw('cast(? as xid8)', [two!.split('-')[1]!]))
      .update({ at: new Date(Date.now() - 25 * 3_600_000) });
    const kept = await idsAfter(two!);
    // In parts, as the sweep does it.
    while ((await removeOldEvents(database.db, { ageSeconds: daySeconds, limit: 7 })) > 0);
    assert.deepEqual(await idsAfter(two!), kept);
    assert.equal(await startsWith(ready!), 'reset');
    assert.equal(await startsWith(one!), 'reset');
    assert.equal(await startsWith(two!), 'resource.created');
    assert.equal(await startsWith(three!), 'resource.created');

    const row = { txid: String(BigInt(txid!) + 1_000_000n), type: 'resource.deleted', data: '{}' };
    await database.db('events').insert(row);
    await removeForeignEvents(database.db);
    assert.equal((await database.db('events').where({ txid: row.txid })).length, 0);
  });

  it('are cut off when a client does not read, before they fill the memory, and resume where they were', async function () {
    const bound = 'a'.repeat(480);
    const before = await metric('kw_events_sent_total');
    const { hostname, port } = new URL(api.base);
    const socket = connect(Number(port), hostname);
    const head = `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n\r\n`;
    let text = '';
    socket.on('error', () => undefined).write(head);
    await eventually(() => {
      text += String(socket.read() ?? '');
      return text.includes('event: ready');
    });
    // Three bytes for each of 480 characters: more than the socket and what is kept for it hold.
    const count = 7_000;
    const name = bound.replaceAll('a', '€');
    const { rowCount } = await database.db.raw(
      `insert into resources (id, name, type, source_type, status)
       select gen_random_uuid(), ?, 'none', 'UPLOAD', 'PENDING' from generate_series(1, ?)`,
      [name, count],
    );
    assert.equal(rowCount, count);
    await eventually(async () => (await metric('kw_event_streams')) === 0);
    const sent = (await metric('kw_events_sent_total')) - before;
    assert.ok(sent > 0 && sent < count, `${sent} events`);
    socket.destroy();

    const lastId = /^id: (.*)$/m.exec(text)![1]!;
    const again = await open('/events', { lastId });
    await eventually(() => again.events.length === count);
    assert.deepEqual(
      again.events.map((event) => event.id),
      await idsAfter(lastId),
    );
  });

  it('stay open with keep-alives that advance the id, and end when their key is revoked or expires', async function () {
    const { body: resource } = await api.upload({ type: 'none' });
    const quiet = await open(`/resources/${resource.id}/events`);
    const began = quiet.lastId();
    await addPast(database.db);
    const keys = [await api.key('read'), await api.key('read')];
    const [revoked, expired] = await Promise.all(keys.map((key) => open('/events', { bearer: key })));
    const [newest, second] = await database.db('api_keys').orderBy('id', 'desc').limit(2).pluck('id');
    const other = keys.map((key) => key.slice(0, 10));
    const rows = await database.db('api_keys').whereIn('prefix', other).select('id', 'prefix');
    const idOf = (key: string): string => rows.find((row) => row.prefix === key.slice(0, 10)).id;
    assert.deepEqual([newest, second].sort(), rows.map((row) => row.id).sort());
    await revokeApiKey(database.db, idOf(keys[0]!));
    await eventually(() => revoked!.ended() === 'cleanly');
    assert.equal(expired!.ended(), null);
    await database
      .db('api_keys')
      .where({ id: idOf(keys[1]!) })
      .update({ expires_at: new Date(Date.now() - 1) });
    await eventually(() => expired!.ended() === 'cleanly');
    await eventually(() => quiet.text().endsWith(`\n\n:\nid: ${quiet.lastId()}\n\n`));
    assert.notEqual(quiet.lastId(), began);
    assert.equal(quiet.ended(), null);
  });

  it('are counted and limited per key: 429', async () => {
    await eventually(async () => (await metric('kw_event_streams')) === 0);
    const key = await api.key('read');
    // Who goes before there is an answer leaves nothing behind.
    for (let round = 0; round < 50; round += 1) {
      const gone = request(`${api.base}/api/v1/events`, { headers: { authorization: `Bearer ${key}` } });
      gone.on('error', () => undefined).end();
      setTimeout(() => gone.destroy(), round % 10);
    }
    await pause(50);
    await eventually(async () => (await metric('kw_event_streams')) === 0);
    const streams = await Promise.all(Array.from({ length: 100 }, () => open('/events', { bearer: key })));
    assert.ok(streams.every(({ status }) => status === 200));
    assert.equal(await metric('kw_event_streams'), 100);
    const { status, body, headers } = await api.call('GET', '/events', undefined, { bearer: key });
    assert.deepEqual([status, body.error.code, body.error.details.limit], [429, 'RATE_LIMITED', 100]);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await open()).status, 200);
    streams[0]!.cut();
    await eventually(async () => (await open('/events', { bearer: key })).status === 200);
  });
});
