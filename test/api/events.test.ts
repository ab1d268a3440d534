import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { streamEventSchema } from '../../api/schemas/event.js';
import { uuidv7 } from '../../core/ids.js';
import { revokeApiKey } from '../../storage/api-keys.js';
import { removeForeignEvents, removeOldEvents } from '../../storage/events.js';
import { startApi, type TestApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openEventStream, type EventStream, type ReceivedEvent } from '../support/event-stream.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { seededRandom } from '../support/random.js';

const daySeconds = 86_400;

describe('live changes', () => {
  let database: TestDatabase;
  /** Two replicas. */
  let apis: [TestApi, TestApi];
  let api: TestApi;
  let other: TestApi;
  let bearer: string;
  const opened: EventStream[] = [];

  before(async () => {
    database = await createDatabase();
    apis = await Promise.all([startApi({ database }), startApi({ database })]);
    [api, other] = apis;
    bearer = await api.key('read');
    await api.call('POST', '/plugins', {
      id: 'p',
      name: 'P',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
    });
    await api.call('POST', '/pipelines', {
      name: 'Documents',
      trigger_type: 'document',
      steps: [{ plugin_id: 'p' }, { plugin_id: 'p' }, { plugin_id: 'p' }],
    });
  });
  afterEach(() => opened.splice(0).forEach((stream) => stream.cut()));
  after(async () => {
    await Promise.all(apis.map((each) => each.stop()));
    await database.drop();
  });

  const open = async (
    path = '/events',
    options: { readonly at?: TestApi; readonly lastId?: string | null; readonly bearer?: string } = {},
  ): Promise<EventStream> => {
    const url = `${(options.at ?? api).base}/api/v1${path}`;
    const stream = await openEventStream(url, { bearer, ...options });
    opened.push(stream);
    if (stream.status === 200) await eventually(() => stream.text().includes('\n\n'));
    return stream;
  };
  const first = (stream: EventStream, type: string, of?: string): Promise<ReceivedEvent> =>
    eventually(() =>
      stream.events.find(
        (event) => event.type === type && (of ?? event.data.resource_id) === event.data.resource_id,
      ),
    );
  const typesOf = (stream: EventStream): string[] => stream.events.map((event) => event.type);
  /** Adds a resource without a pipeline, past the API. */
  const add = async (db: TestApi['deps']['db'], name = 'A row'): Promise<string> => {
    const id = uuidv7();
    await db('resources').insert({ id, name, type: 'none', source_type: 'UPLOAD', status: 'PENDING' });
    return id;
  };
  /** The ids of all that happened after an id, as the table has it. */
  const idsAfter = async (id: string): Promise<string[]> => {
    const [origin, txid, number] = id.split('-');
    const { rows } = await database.db.raw(
      `select txid::text || '-' || id as id from events where (txid, id) > (cast(? as xid8), cast(? as bigint))
       order by events.txid, events.id`,
      [txid!, number!],
    );
    return rows.map((row: { id: string }) => `${origin}-${row.id}`);
  };
  const metric = async (name: string): Promise<number> => {
    const { text } = await api.call('GET', '//metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('begin now, and say where; nothing on the way may keep or gather them', async () => {
    await api.upload();
    const stream = await open();
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    assert.match(stream.headers['cache-control'] ?? '', /no-store, no-transform/);
    assert.match(stream.text(), /^retry: 2000\n\nid: \w+-\d+-\d+\nevent: ready\ndata: \{\}\n\n/);
    assert.deepEqual(typesOf(stream), ['ready']);
    const head = await api.call('HEAD', '/events');
    assert.deepEqual(
      [head.status, head.headers.get('content-type')],
      [200, 'text/event-stream; charset=utf-8'],
    );
  });

  it('made through one replica are seen on a stream of the other, whole and in order', async () => {
    const stream = await open('/events', { at: other });
    const { body: resource } = await api.upload({ name: 'Näme "1"' });
    const created = await first(stream, 'resource.created', resource.id);
    assert.deepEqual([created.data.id, created.data.name, created.data.run], [resource.id, 'Näme "1"', 0]);
    const updated = await first(stream, 'resource.updated', resource.id);
    const { id, name, type, status, run, is_enabled, updated_at, error } = resource;
    const { at, resource_id, ...row } = updated.data;
    assert.deepEqual(row, { id, name, type, status, run, is_enabled, updated_at, error });
    assert.deepEqual([resource_id, status], [id, 'PROCESSING']);
    assert.equal(new Date(at).toISOString(), at);

    await api.advance(resource, { kind: 'BEGIN' });
    const { body: begun } = await api.call('GET', `/resources/${id}`);
    const step = await first(stream, 'step.updated', id);
    const { at: _at, resource_id: _id, run: _run, ...shown } = step.data;
    assert.deepEqual(shown, begun.steps[0]);
    assert.deepEqual([step.data.run, shown.status], [1, 'RUNNING']);
    await api.call('PUT', `/resources/${id}/toggle`);
    await eventually(() => stream.events.some(({ data }) => data.id === id && data.is_enabled === false));
    assert.deepEqual(
      stream.events.slice(1).map((event) => event.id),
      await idsAfter(stream.events[0]!.id),
    );
  });

  it('of everything that changes keep to the document, and hold no config, secret, metadata or details', async () => {
    const stream = await open();
    const secret = 'a-word-that-nobody-sees';
    const plugin = {
      id: 'other',
      name: 'Other',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
      config: { secret },
    };
    await api.call('POST', '/plugins', plugin);
    await api.call('PUT', '/plugins/other/config', { config: { secret, more: true } });
    await api.call('PUT', '/plugins/other/toggle');
    const steps = [{ plugin_id: 'p' }];
    const { body: pipeline } = await api.call('POST', '/pipelines', { name: 'N', trigger_type: 'n', steps });
    await api.call('PUT', `/pipelines/${pipeline.id}`, { steps });
    await api.call('DELETE', `/pipelines/${pipeline.id}`);
    await api.call('DELETE', '/plugins/other');

    const { body: resource } = await api.upload();
    await api.advance(resource, { kind: 'BEGIN' });
    const { db } = api.deps;
    const where = { resource_id: resource.id, run: 1, index: 0 };
    const note = 'NUL \0, half \ud800, whole 😀, "quoted", \\u0000 as text, \\';
    const details = { secret };
    await db('steps')
      .where(where)
      .update({
        progress: JSON.stringify({ fraction: 0.5, message: note }),
        error: JSON.stringify({ code: 'X', message: note, details }),
      });
    const artifact = {
      id: uuidv7(),
      resource_id: resource.id,
      step_index: 0,
      type: 'text',
      content_type: 'text',
      plugin_id: 'p',
      run: 1,
      current_run: 1,
      size_bytes: 5,
      metadata: JSON.stringify({ secret }),
      object_key: 'a',
    };
    await db('artifacts').insert([artifact, { ...artifact, id: uuidv7(), type: 'other' }]);
    await db('artifacts').where({ id: artifact.id }).update({ object_key: 'b' });
    // What is not shown is no change.
    await db('artifacts').where({ id: artifact.id }).update({ current_run: 2 });
    await db('plugins').update({ last_seen_at: new Date() });
    await db('steps').where(where).update({ retry_at: new Date(), attempt_base: 0 });
    await db('artifacts').where({ id: artifact.id }).delete();
    await db('resources')
      .where({ id: resource.id })
      .update({ status: 'FAILED', error: JSON.stringify({ code: 'X', message: 'm'.repeat(2000), step: 0 }) });
    await db('runs').update({ status: 'FAILED' });
    assert.equal((await api.call('DELETE', `/resources/${resource.id}`)).status, 204);
    await first(stream, 'resource.deleted', resource.id);

    assert.deepEqual(typesOf(stream), [
      'ready',
      ...['plugin.created', 'plugin.updated', 'plugin.updated'],
      ...['pipeline.created', 'pipeline.updated', 'pipeline.deleted', 'plugin.deleted'],
      ...['resource.created', 'resource.updated', 'step.updated', 'step.updated'],
      ...['artifact.updated', 'artifact.updated', 'artifact.updated', 'artifact.deleted'],
      ...['resource.updated', 'resource.deleted'],
    ]);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const { id, type, data } of stream.events)
      assert.ok(ajv.validate(streamEventSchema, { id, event: type, data }), JSON.stringify(data));
    const failed = stream.events.filter(({ type }) => type === 'step.updated')[1]!.data;
    assert.deepEqual(failed.progress, { fraction: 0.5, message: note });
    const { message } = failed.error;
    assert.deepEqual(failed.error, { code: 'X', message });
    assert.equal(message, note.replace('\0', '�').replace('\ud800', '�'));
    const { data } = stream.events.at(-2)!;
    assert.deepEqual(data.error, { code: 'X', message: 'm'.repeat(1000), step: 0 });
    assert.ok(!stream.text().includes(secret));
  });

  it('of one resource are its own; the stream ends with it, and is 404 then', async () => {
    const { body: resource } = await api.upload({ type: 'none' });
    const path = `/resources/${resource.id}/events`;
    const stream = await open(path);
    await api.upload();
    await api.call('PATCH', `/resources/${resource.id}`, { name: 'Renamed' });
    await api.call('DELETE', `/resources/${resource.id}`);
    await eventually(() => stream.ended() === 'cleanly');
    assert.deepEqual(typesOf(stream), ['ready', 'resource.updated', 'resource.deleted']);
    assert.equal((await api.call('GET', path)).status, 404);
    assert.equal((await api.call('GET', '/resources/nonsense/events')).status, 404);
    assert.equal((await api.call('GET', '/events', undefined, { bearer: null })).status, 401);
    assert.equal((await api.call('GET', '/events?since=1')).status, 400);
  });

  it('go on after a Last-Event-ID, in the header or in the query, at any replica', async () => {
    const stream = await open();
    const ids = [await add(database.db), await add(database.db), await add(database.db)];
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

  it('cut again and again at random while transactions of all kinds run: none is missed, none comes twice', async function () {
    this.timeout(120_000);
    const random = seededRandom(20_251_121);
    const start = await open();
    const began = start.lastId()!;
    let writing = true;
    const write = async (): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        const [seconds, fate, count] = [random() * 0.03, random(), 1 + Math.floor(random() * 8)];
        await database.db
          .transaction(async (trx) => {
            // The number of a transaction is that of its first write, its events may come much later.
            if (fate < 0.5) await trx.raw('select pg_current_xact_id()');
            await trx.raw('select pg_sleep(?)', [seconds]);
            for (let each = 0; each < count; each += 1) await add(trx);
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
      const stream = await open('/events', { at: apis[cuts % 2]!, lastId });
      await pause(random() * 60);
      stream.cut();
      cuts += 1;
      assert.ok(!typesOf(stream).includes('reset'));
      seen.push(...stream.events.map((event) => event.id));
      lastId = stream.lastId() ?? lastId;
    }
    await writers;
    assert.deepEqual(seen, await idsAfter(began));
    assert.ok(seen.length >= 1_000, `${seen.length} events`);
    assert.ok(cuts >= 10, `${cuts} cuts`);
    await eventually(() => start.events.length === seen.length + 1);
    assert.deepEqual(
      start.events.slice(1).map((event) => event.id),
      seen,
    );
  });

  it('of a transaction that commits late come in their place, before what began after it', async () => {
    const stream = await open();
    const late = await database.db.transaction();
    const ids = [await add(late, 'Late')];
    ids.push(await add(database.db, 'Soon'));
    const beside = await open();
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

  it('that are not kept any more, or are of another database: the first event is reset', async () => {
    const stream = await open();
    const ids = [await add(database.db), await add(database.db), await add(database.db)];
    await first(stream, 'resource.created', ids[2]);
    const [ready, one, two, three] = stream.events.map((event) => event.id);
    const [origin, txid] = three!.split('-');
    const startsWith = async (lastId: string): Promise<string | undefined> => {
      const again = await open('/events', { lastId, at: other });
      const id = await add(database.db);
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

  it('of a client that does not read are cut off, before they fill the memory; it goes on where it was', async function () {
    this.timeout(60_000);
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
    const count = 12_000;
    const name = bound.replaceAll('a', '€');
    const { rowCount } = await database.db.raw(
      `insert into resources (id, name, type, source_type, status)
       select gen_random_uuid(), ?, 'none', 'UPLOAD', 'PENDING' from generate_series(1, ?)`,
      [name, count],
    );
    assert.equal(rowCount, count);
    await eventually(async () => (await metric('kw_event_streams')) === 0, { timeoutMs: 30_000 });
    const sent = (await metric('kw_events_sent_total')) - before;
    assert.ok(sent > 0 && sent < count, `${sent} events`);
    socket.destroy();

    const lastId = /^id: (.*)$/m.exec(text)![1]!;
    const again = await open('/events', { lastId });
    await eventually(() => again.events.length === count, { timeoutMs: 30_000 });
    assert.deepEqual(
      again.events.map((event) => event.id),
      await idsAfter(lastId),
    );
  });

  it('live on through silence by a sign of life, which moves the id on; end when their key is revoked or expires', async function () {
    this.timeout(60_000);
    const { body: resource } = await api.upload({ type: 'none' });
    const quiet = await open(`/resources/${resource.id}/events`);
    const began = quiet.lastId();
    await add(database.db);
    const keys = [await api.key('read'), await api.key('read')];
    const [revoked, expired] = await Promise.all(keys.map((key) => open('/events', { bearer: key })));
    const [newest, second] = await database.db('api_keys').orderBy('id', 'desc').limit(2).pluck('id');
    const other = keys.map((key) => key.slice(0, 10));
    const rows = await database.db('api_keys').whereIn('prefix', other).select('id', 'prefix');
    const idOf = (key: string): string => rows.find((row) => row.prefix === key.slice(0, 10)).id;
    assert.deepEqual([newest, second].sort(), rows.map((row) => row.id).sort());
    await revokeApiKey(database.db, idOf(keys[0]!));
    await eventually(() => revoked!.ended() === 'cleanly', { timeoutMs: 15_000 });
    assert.equal(expired!.ended(), null);
    await database
      .db('api_keys')
      .where({ id: idOf(keys[1]!) })
      .update({ expires_at: new Date(Date.now() - 1) });
    await eventually(() => expired!.ended() === 'cleanly', { timeoutMs: 15_000 });
    await eventually(() => quiet.text().endsWith(`\n\n:\nid: ${quiet.lastId()}\n\n`), { timeoutMs: 25_000 });
    assert.notEqual(quiet.lastId(), began);
    assert.equal(quiet.ended(), null);
  });

  it('are counted, and bounded by key: 429', async () => {
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
