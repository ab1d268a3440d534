import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { streamEventSchema } from '../../api/schemas/event.js';
import { uuidv7 } from '../../core/ids.js';
import { carryOutItem, readItemAction } from '../../storage/operations/items.js';
import { completeOperation, noteProgress } from '../../storage/operations/progress.js';
import { eventually } from '../support/eventually.js';
import { first, startLiveChanges, typesOf, type LiveChanges } from '../support/service/live-changes.js';

describe('live changes', () => {
  let api: LiveChanges['api'];
  let other: LiveChanges['other'];
  let open: LiveChanges['open'];
  let idsAfter: LiveChanges['idsAfter'];
  let changes: LiveChanges;
  before(async () => {
    changes = await startLiveChanges();
    ({ api, other, open, idsAfter } = changes);
  });
  afterEach(() => changes.cutAll());
  after(() => changes.stop());

  it('start now and give their position; intermediaries must not cache or buffer them', async () => {
    await api.upload();
    const stream = await open();
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    assert.match(stream.headers['cache-control'] ?? '', /no-store, no-transform/);
    assert.match(stream.text(), /^retry: 2000\n\nid: \w+-\d+-\d+\nevent: ready\ndata: \{\}\n\n/);
    assert.deepEqual(typesOf(stream), ['ready']);
    // An empty id is none.
    for (const empty of [await open('/events', { lastId: '' }), await open('/events?last_event_id=')]) {
      await eventually(() => empty.events.length > 0);
      assert.deepEqual(typesOf(empty), ['ready']);
    }
    const head = await api.call('HEAD', '/events');
    assert.deepEqual(
      [head.status, head.headers.get('content-type')],
      [200, 'text/event-stream; charset=utf-8'],
    );
  });

  it('made through one replica appear on a stream of the other, complete and in order', async () => {
    const stream = await open('/events', { at: other });
    const { body: resource } = await api.upload({ name: 'Näme "1"' });
    const created = await first(stream, 'resource.created', resource.id);
    const { id, name, type, status, run, is_enabled, updated_at, error } = resource;
    const { at, resource_id, ...row } = created.data;
    assert.deepEqual(row, { id, name, type, status, run, is_enabled, updated_at, error });
    assert.deepEqual([resource_id, status], [id, 'PROCESSING']);
    assert.equal(new Date(at).toISOString(), at);

    await api.advance(resource, { kind: 'BEGIN' });
    const { body: begun } = await api.call('GET', `/resources/${id}`);
    const step = await first(stream, 'step.updated', id);
    const { at: _at, resource_id: _id, run: _run, ...shown } = step.data;
    assert.deepEqual(shown, begun.steps[0]);
    assert.deepEqual([step.data.run, shown.status], [1, 'RUNNING']);
    const { db } = api.deps;
    const instants = { attempt_started_at: '2025-11-20T09:30:00Z', finished_at: '2025-11-20T09:30:00.12Z' };
    await db('steps').where({ resource_id: id, index: 0 }).update(instants);
    await eventually(() => stream.events.some(({ data }) => data.finished_at));
    const { at: _later, resource_id: _same, run: _first, ...ended } = stream.events.at(-1)!.data;
    assert.deepEqual(ended, (await api.call('GET', `/resources/${id}/runs`)).body.items[0].steps[0]);
    await api.call('PUT', `/resources/${id}/toggle`);
    await eventually(() => stream.events.some(({ data }) => data.id === id && data.is_enabled === false));
    assert.deepEqual(
      stream.events.slice(1).map((event) => event.id),
      await idsAfter(stream.events[0]!.id),
    );
  });

  it('of everything that changes match the document, and contain no config, secret, metadata or details', async () => {
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
    const { status, body: registered } = await api.call('PUT', '/plugins/other', {
      ...plugin,
      reads: ['text'],
    });
    // A worker registers itself at each start.
    await api.deps.db('plugins').update({ last_seen_at: null });
    const { body: repeated } = await api.call('PUT', '/plugins/other', { ...plugin, reads: ['text'] });
    assert.deepEqual([status, repeated.updated_at], [200, registered.updated_at]);
    assert.notEqual(repeated.last_seen_at, null);
    const steps = [{ plugin_id: 'p' }];
    const { body: pipeline } = await api.call('POST', '/pipelines', { name: 'N', trigger_type: 'n', steps });
    await api.call('PUT', `/pipelines/${pipeline.id}`, { name: 'M', steps });
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
      ...['plugin.created', 'plugin.updated', 'plugin.updated', 'plugin.updated'],
      ...['pipeline.created', 'pipeline.updated', 'pipeline.deleted', 'plugin.deleted'],
      ...['resource.created', 'step.updated', 'step.updated'],
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
    for (const [, instant = ''] of stream.text().matchAll(/"(?:\w+_)?at":"([^"]+)"/g))
      assert.equal(new Date(instant).toISOString(), instant);
  });

  it('report the progress of an operation from its acceptance to its end', async () => {
    const stream = await open('/events', { at: other });
    const ids = [];
    for (const name of ['one', 'two']) ids.push((await api.upload({ type: 'none', name })).body.id);
    const { body: operation } = await api.call('POST', '/operations', { action: 'cancel', ids });
    const { db } = api.deps;
    const item = await readItemAction(db, operation.id);
    for (const id of ids) await carryOutItem(db, operation.id, id, item!);
    await noteProgress(db, operation.id);
    await completeOperation(db, operation.id);
    const told = (): any[] =>
      stream.events.filter(({ type }) => type === 'operation.updated').map(({ data }) => data);
    await eventually(() => told().at(-1)?.status === 'COMPLETED');
    const { finished_at } = (await api.call('GET', `/operations/${operation.id}`)).body;
    const common = { operation_id: operation.id, action: 'cancel', matched: 2, done: 0, failed: {} };
    const skipped = { RESOURCE_NOT_PROCESSING: 2 };
    assert.deepEqual(
      told().map(({ at: _at, ...data }) => data),
      [
        { ...common, status: 'RUNNING', skipped: {}, finished_at: null },
        { ...common, status: 'RUNNING', skipped, finished_at: null },
        { ...common, status: 'COMPLETED', skipped, finished_at },
      ],
    );
  });

  it('of one resource are only its own; the stream ends when it is deleted, and is then 404', async () => {
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
});
