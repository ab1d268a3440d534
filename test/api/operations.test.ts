import assert from 'node:assert/strict';
import { once } from 'node:events';
import { MockActivityEnvironment } from '@temporalio/testing';
import { definePlugin, PluginFailure } from '@knowledge-warehouse/plugin';
import { createOperationActivities } from '../../activities/carry-out-items.js';
import { operationWorkflowId, type ItemsCarriedOut } from '../../core/operations.js';
import { uuidv7 } from '../../core/ids.js';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { carryOutItem, readItemAction } from '../../storage/operations/items.js';
import { startApi } from '../support/service/api.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { createGates } from '../support/network/gates.js';
import { filterIn, toOperationFilter } from '../../web/src/views/resources/filter.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { assertRepairs } from '../support/service/repairs.js';

let healed = false;

/** Fails, waits or succeeds as the text asks: "fail" fails here, "fail at ID with CODE" at that plugin. */
const createMoody = (id: string) =>
  definePlugin({
    id,
    name: 'Moody',
    version: '1.0.0',
    configSchema: { type: 'object' },
    produces: ['note'],
    run: async (ctx) => {
      const text = (await ctx.source.buffer()).toString();
      const [, at = id, code = 'BROKEN'] = /^fail at (\S+) with (\S+)/.exec(text) ?? [];
      if (text.startsWith('fail') && at === id && !healed)
        throw new PluginFailure(code, `It does not work: ${text}`);
      if (text.startsWith('hang')) await once(ctx.signal, 'abort');
      await ctx.emit({ type: 'note', content_type: 'text', content: text });
    },
  });

describe('bulk operations', () => {
  let core: TestCore;
  let temporal: TemporalClient;
  let site: RemoteSite;

  before(async () => {
    site = await startRemoteSite();
    core = await startCore({
      plugins: [createMoody('moody'), createMoody('gloomy')],
      env: { KW_URL_ALLOW: site.host },
    });
    temporal = await connectTemporal(core.deps.config.temporal);
  });
  after(async () => {
    await temporal.close();
    await core.stop();
    await site.stop();
  });

  const bounds = { max_attempts: 1, backoff_seconds: 0.1, timeout_seconds: 60 };
  const post = (body: object, path = '/operations'): Promise<Answer> => core.call('POST', path, body);
  /** Has an operation carried out to its end. */
  async function carryOut(body: object): Promise<Answer['body']> {
    const { status, body: accepted, headers } = await post(body);
    assert.equal(status, 202, JSON.stringify(accepted));
    assert.equal(headers.get('location'), `/api/v1/operations/${accepted.id}`);
    return await ended(accepted.id);
  }
  const ended = (id: string): Promise<Answer['body']> =>
    eventually(async () => {
      const { body } = await core.call('GET', `/operations/${id}`);
      const settled = [body.done, ...Object.values(body.skipped), ...Object.values(body.failed)] as number[];
      const sum = settled.reduce((total, count) => total + count, 0);
      assert.ok(sum <= body.matched);
      if (body.status === 'COMPLETED') assert.equal(sum, body.matched);
      return body.status !== 'RUNNING' && body;
    });
  const listed = async (query: string): Promise<Answer['body'][]> =>
    (await core.call('GET', `/resources?limit=200&${query}`)).body.items;
  async function uploadAll(type: string, ...texts: string[]): Promise<string[]> {
    return await Promise.all(texts.map(async (text) => (await core.upload(type, text)).id as string));
  }
  async function typed(...texts: string[]): Promise<{ type: string; ids: string[] }> {
    const type = `type-${uuidv7()}`;
    await core.pipeline(type, { plugin_id: 'moody', ...bounds });
    return { type, ids: await uploadAll(type, ...texts) };
  }
  /** Resources that no pipeline takes, for operations to which it does not matter what was made of them. */
  async function unprocessed(...texts: string[]): Promise<{ type: string; ids: string[] }> {
    const type = `type-${uuidv7()}`;
    return { type, ids: await uploadAll(type, ...texts) };
  }

  it('select what the page lists for the filters in its address', async () => {
    const type = `type-${uuidv7()}`;
    const metadata = [
      { team: 'red', year: 1 },
      { team: ['red', 'blue'], year: 2 },
      { team: 'green', year: 3 },
    ];
    const [first] = await uploadAll(type, 'one', 'two', 'three');
    const items = await listed(`type=${type}&sort=name`);
    for (const [at, { id }] of items.entries())
      await core.call('PATCH', `/resources/${id}`, { metadata: metadata[at], is_enabled: at !== 2 });
    await core.call('PATCH', `/resources/${first}`, { name: 'Renamed & more' });
    const addresses: Readonly<Record<string, number>> = {
      '': 3,
      'q=renamed+%26': 1,
      'is_enabled=false': 1,
      'is_enabled=true&is_enabled=false': 3,
      'waiting=false': 3,
      'status=FAILED&status=COMPLETED&status=PENDING&status=PROCESSING': 3,
      'error_code=BROKEN': 0,
      'failed_plugin=moody&failed_plugin=other': 0,
      'metadata.team=red': 2,
      'metadata.team=green&metadata.team=blue': 2,
      'metadata.year=2': 1,
      'metadata.year[gte]=2': 2,
      'metadata.year[gte]=2&metadata.year[lte]=2&metadata.team=red': 1,
      'created_after=2020-01-01T00:00:00Z&created_before=2999-01-01T00:00:00Z': 3,
      'updated_before=2020-01-01T00:00:00Z': 0,
      'source_type=URL&source_type=UPLOAD': 3,
    };
    for (const [address, expected] of Object.entries(addresses)) {
      const query = `type=${type}${address && `&${address}`}`;
      assert.equal((await listed(query)).length, expected, address);
      const filter = toOperationFilter(filterIn(new URLSearchParams(`${query}&sort=name&cursor=x&limit=50`)));
      const { status, body } = await post({ action: 'delete', filter, dry_run: true });
      assert.deepEqual([status, body.matched], [200, expected], `${address}: ${JSON.stringify(body)}`);
    }
    assert.deepEqual(toOperationFilter({}), { all: true });
  });

  it('resume failed resources, selected by a group of the failures', async () => {
    const { type, ids } = await typed('fail 1', 'fail 2', 'good');
    for (const id of ids) await core.settled(id);
    const { body: failures } = await core.call('GET', `/failures?type=${type}`);
    const [group] = failures.items;
    assert.equal(failures.items.length, 1, JSON.stringify(failures));
    assert.deepEqual([group.plugin_id, group.type, group.count], ['moody', type, 2]);
    assert.equal(
      (await core.call('GET', `/resources/${group.resource_id}`)).body.error.message,
      group.message,
    );
    assert.deepEqual((await core.call('GET', '/failures?since=2999-01-01T00:00:00Z')).body, { items: [] });
    const filter = { status: 'FAILED', error_code: group.error_code, failed_plugin: group.plugin_id, type };
    const wish = { action: 'reprocess', filter, from_step: 'failed' };
    const preview = await post({ ...wish, dry_run: true });
    assert.equal(preview.status, 200);
    assert.deepEqual(
      { ...preview.body, sample: preview.body.sample.toSorted() },
      {
        ...{ matched: 2, eligible: 2, skipped: {} },
        sample: ids.slice(0, 2).toSorted(),
      },
    );
    healed = true;
    const operation = await carryOut(wish);
    assert.deepEqual([operation.matched, operation.done, operation.skipped], [2, 2, {}]);
    for (const id of ids.slice(0, 2)) {
      const { status, run } = await core.settled(id);
      assert.deepEqual([status, run], ['COMPLETED', 2]);
    }
    assert.deepEqual((await core.call('GET', `/failures?type=${type}`)).body, { items: [] });
    healed = false;
  });

  it('apply to exactly the resources of a group of failures; the largest group is listed first', async () => {
    const [type, other] = [`type-${uuidv7()}`, `type-${uuidv7()}`];
    for (const each of [type, other])
      await core.pipeline(each, { plugin_id: 'moody', ...bounds }, { plugin_id: 'gloomy', ...bounds });
    site.handle = (_, response) =>
      void response.writeHead(200, { 'content-length': `${1024 ** 4}` }).write('x');
    const source = { kind: 'URL', url: `${site.url}/too-large` };
    const { body: fetched } = await core.call('POST', '/resources', { name: 'Too large', type, source });
    const wanted: readonly (readonly [code: string, plugin: string | null, type: string, ids: string[]])[] = [
      ['TORN', 'moody', type, []],
      ['TORN', 'gloomy', type, []],
      // Groups of the same size have the order of their codes and plugins.
      ['TORN', 'gloomy', other, []],
      ['URL_FETCH_FAILED', 'moody', type, []],
      ['URL_FETCH_FAILED', null, type, [fetched.id]],
    ];
    const fail = async (at: number): Promise<void> => {
      const [code, plugin, each, ids] = wanted[at]!;
      const { id } = await core.upload(each, `fail at ${plugin} with ${code} ${ids.length}`);
      await core.settled(id);
      ids.push(id);
    };
    // Those of a group fail one after the other, so that it is known which was the first and which the last.
    for (const round of [[0, 1, 2, 3], [0, 1], [0]]) await Promise.all(round.map(fail));
    await core.settled(fetched.id);

    const all: Answer['body'][] = (await core.call('GET', '/failures')).body.items;
    const counts = all.map(({ count }) => count as number);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    const groups = all.filter((group) => group.type === type || group.type === other);
    assert.deepEqual(
      groups.map((group) => [group.error_code, group.plugin_id, group.type, group.count]),
      wanted.map(([code, plugin, each, ids]) => [code, plugin, each, ids.length]),
    );
    const look = async (id = ''): Promise<Answer['body']> =>
      (await core.call('GET', `/resources/${id}`)).body;
    for (const [at, { error_code, plugin_id, type: each, ...group }] of groups.entries()) {
      const ids = wanted[at]![3];
      const [first, last] = [await look(ids[0]), await look(ids.at(-1))];
      assert.deepEqual(
        [group.first_at, group.last_at, group.resource_id, group.message],
        [first.finished_at, last.finished_at, last.id, last.error.message],
      );
      const filter = { status: 'FAILED', error_code, type: each, failed_plugin: plugin_id };
      assert.equal((await carryOut({ action: 'set_metadata', filter, metadata: { at } })).done, ids.length);
      assert.deepEqual((await listed(`metadata.at=${at}`)).map(({ id }) => id).toReversed(), ids);
    }

    const { body: either } = await core.call('GET', `/failures?type=${other}&type=${type}`);
    assert.deepEqual(either.items, groups);

    // `since` includes the instant itself.
    const { finished_at: since } = await look(wanted[0]![3][1]);
    const { body: later } = await core.call('GET', `/failures?type=${type}&since=${since}`);
    assert.deepEqual(later.items[0], { ...groups[0], count: 2, first_at: since });
    assert.ok(groups[0].first_at < since);
  });

  it('follow the rules of each single call, and report in advance what they skip', async () => {
    const { type, ids } = await typed('good', 'hang', 'fail');
    const [good = '', hanging = '', failed = ''] = ids;
    await core.settled(good);
    await core.settled(failed);
    const [stray = ''] = await uploadAll(`no-pipeline-${uuidv7()}`, 'stray');
    const unknown = uuidv7();
    const all = [good, hanging, failed, stray, unknown];
    const check = async (body: object, skipped: Record<string, number>): Promise<void> => {
      const expected = 5 - Object.values(skipped).reduce((sum, count) => sum + count, 0);
      const preview = await post({ ...body, ids: all, dry_run: true });
      assert.deepEqual(
        [preview.body.matched, preview.body.eligible, preview.body.skipped],
        [5, expected, skipped],
      );
      const operation = await carryOut({ ...body, ids: [...all, good, good.toUpperCase()] });
      assert.deepEqual(
        [operation.matched, operation.done, operation.skipped, operation.failed, operation.filter],
        [5, expected, skipped, {}, null],
      );
    };
    const gone = { NOT_FOUND: 1 };
    await check({ action: 'disable' }, gone);
    assert.deepEqual((await listed(`type=${type}&is_enabled=true`)).length, 0);
    await check({ action: 'enable' }, gone);
    assert.deepEqual((await listed(`type=${type}&is_enabled=false`)).length, 0);
    await check({ action: 'set_metadata', metadata: { team: 'a', year: 2025 } }, gone);
    const removed = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key-${index}`, null]));
    await check({ action: 'set_metadata', metadata: { ...removed, year: null } }, gone);
    assert.deepEqual((await core.call('GET', `/resources/${good}`)).body.metadata, { team: 'a' });
    await check(
      { action: 'reprocess', from_step: 7 },
      { ...gone, RESOURCE_PROCESSING: 1, STEP_NOT_RESUMABLE: 3 },
    );
    await check({ action: 'reprocess' }, { ...gone, RESOURCE_PROCESSING: 1, NO_MATCHING_PIPELINE: 1 });
    await core.settled(good);
    await core.settled(failed);
    await check(
      { action: 'reprocess', from_step: 'failed' },
      {
        ...{ ...gone, RESOURCE_PROCESSING: 1 },
        STEP_NOT_RESUMABLE: 2,
      },
    );
    await core.settled(failed);
    await check({ action: 'cancel' }, { ...gone, RESOURCE_NOT_PROCESSING: 3 });
    assert.equal((await core.settled(hanging)).status, 'CANCELLED');
    await check({ action: 'delete' }, gone);
    assert.deepEqual(await listed(`type=${type}`), []);
  });

  it('skips the smallest and the largest id', async () => {
    const ids = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    for (const action of ['enable', 'cancel']) {
      const { status, matched, skipped } = await carryOut({ action, ids });
      assert.deepEqual([status, matched, skipped], ['COMPLETED', 2, { NOT_FOUND: 2 }], action);
    }
  });

  it('fix their set of resources when they are accepted', async () => {
    const { type } = await unprocessed('one', 'two');
    await core.stopWorker();
    const { body: accepted } = await post({ action: 'disable', filter: { type } });
    assert.deepEqual([accepted.status, accepted.matched, accepted.done], ['RUNNING', 2, 0]);
    const [late = ''] = await uploadAll(type, 'late');
    await core.startWorker();
    const operation = await ended(accepted.id);
    assert.deepEqual([operation.status, operation.done], ['COMPLETED', 2]);
    assert.equal((await core.call('GET', `/resources/${late}`)).body.is_enabled, true);
  });

  it('are refused if another number of resources matches than expected', async () => {
    const { type } = await unprocessed('one', 'two');
    const wish = { action: 'disable', filter: { type } };
    const { matched } = (await post({ ...wish, dry_run: true })).body;
    const [third = ''] = await uploadAll(type, 'three');
    const refused = await post({ ...wish, expected_matched: matched });
    assert.deepEqual(
      [refused.status, refused.body.error.code, refused.body.error.details],
      [412, 'PRECONDITION_FAILED', { matched: 3 }],
    );
    assert.equal((await listed(`type=${type}&is_enabled=true`)).length, 3);
    await core.call('DELETE', `/resources/${third}`);
    assert.equal((await carryOut({ ...wish, expected_matched: matched })).done, 2);
  });

  it('stop when they are cancelled, and stay stopped', async () => {
    const { type } = await unprocessed('one', 'two');
    await core.stopWorker();
    const { body: accepted } = await post({ action: 'disable', filter: { type } });
    const cancelled = await post({}, `/operations/${accepted.id}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.status, cancelled.body.done], [200, 'CANCELLED', 0]);
    await core.startWorker();
    const after = await carryOut({ action: 'set_metadata', metadata: { x: 1 }, filter: { type } });
    assert.equal(after.done, 2);
    assert.equal((await listed(`type=${type}&is_enabled=true`)).length, 2);
    assert.deepEqual((await core.call('GET', `/operations/${accepted.id}`)).body, cancelled.body);
    assert.equal((await post({}, `/operations/${uuidv7()}/cancel`)).status, 404);
    for (const { id, ...rest } of [after, cancelled.body]) {
      const again = await post({}, `/operations/${id}/cancel`);
      assert.deepEqual([again.status, again.body], [200, { id, ...rest }]);
    }
  });

  it('cancel ahead of the work that they cancel', async () => {
    const { type, ids } = await typed('hang', 'hang');
    const others = Array.from({ length: 10 }, () => uuidv7());
    const { id, done, skipped } = await carryOut({ action: 'cancel', ids: [...ids, ...others] });
    assert.deepEqual([done, skipped], [2, { NOT_FOUND: 10 }]);
    await eventually(async () => (await listed(`type=${type}&status=CANCELLED`)).length === 2);
    const { events } = await temporal.client.workflow.getHandle(operationWorkflowId(id)).fetchHistory();
    const priorities = (events ?? []).flatMap(
      ({ workflowExecutionStartedEventAttributes: run, activityTaskScheduledEventAttributes: part }) =>
        run || part ? [(run ?? part)?.priority?.priorityKey] : [],
    );
    assert.ok(priorities.length >= 2 && priorities.every((each) => each === 1), priorities.join());
  });

  it('fail where the single call would be a bad request', async () => {
    const { type, ids } = await unprocessed('long', 'many', 'room');
    const before = [
      { a: 'x'.repeat(10_000) },
      Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`key-${at}`, at])),
      { a: 'y' },
    ];
    for (const [at, id] of ids.entries())
      assert.equal((await core.call('PATCH', `/resources/${id}`, { metadata: before[at] })).status, 200);
    const b = 'x'.repeat(10_000);
    const preview = await post({ action: 'set_metadata', metadata: { b }, filter: { type }, dry_run: true });
    const { sample, ...counts } = preview.body;
    assert.deepEqual(counts, { matched: 3, eligible: 1, skipped: { VALIDATION_FAILED: 2 } });
    assert.deepEqual(sample, [ids[2]]);
    const operation = await carryOut({ action: 'set_metadata', metadata: { b }, filter: { type } });
    assert.deepEqual(
      [operation.matched, operation.done, operation.skipped, operation.failed],
      [3, 1, {}, { VALIDATION_FAILED: 2 }],
    );
    const stored = ids.map(async (id) => (await core.call('GET', `/resources/${id}`)).body.metadata);
    assert.deepEqual(await Promise.all(stored), [before[0], before[1], { a: 'y', b }]);
  });

  it('preview by the exact size of the metadata', async () => {
    const { type, ids } = await unprocessed('one');
    const list = ['ä', '"', 'c'];
    // Beyond 21 digits and 6 decimal places, JavaScript writes numbers with an exponent.
    const numbers = {
      ...{ zero: 0, plain: 1.5, digits: 123_456_789_012_345_680_000, large: 1e21, huge: 1e300 },
      ...{ places: 0.000001, small: -1e-7, exact: 1.234567e-10, least: 5e-324, most: -Number.MAX_VALUE },
    };
    const before = { list, ...numbers, gone: true, empty: [] };
    await core.call('PATCH', `/resources/${ids[0]}`, { metadata: before });
    const size = (text: string): number =>
      Buffer.byteLength(
        JSON.stringify({ list, ...numbers, empty: [], text, two: ['a', 'b'], added: 2.5e30 }),
      );
    const room = 16_384 - size('');
    for (const [length, eligible] of [
      [room, 1],
      [room + 1, 0],
    ] as const) {
      const metadata = { text: 'x'.repeat(length), two: ['a', 'b'], added: 2.5e30, gone: null };
      const { body } = await post({ action: 'set_metadata', metadata, filter: { type }, dry_run: true });
      assert.equal(body.eligible, eligible);
      assert.equal((await carryOut({ action: 'set_metadata', metadata, filter: { type } })).done, eligible);
    }
    const { body } = await post({ action: 'set_metadata', metadata: null, filter: { type }, dry_run: true });
    assert.equal(body.eligible, 1);
  });

  it('name up to 1,000 resources by id', async () => {
    const { ids } = await unprocessed('one');
    const many = [...ids, ...Array.from({ length: 999 }, () => uuidv7())];
    const preview = await post({ action: 'disable', ids: many, dry_run: true });
    assert.deepEqual(
      [preview.status, preview.body],
      [200, { matched: 1_000, eligible: 1, skipped: { NOT_FOUND: 999 }, sample: ids }],
    );
    const accepted = await post({ action: 'disable', ids: many });
    assert.deepEqual([accepted.status, accepted.body.matched], [202, 1_000]);
    await post({}, `/operations/${accepted.body.id}/cancel`);
    const { status, body } = await post({ action: 'disable', ids: [...many, uuidv7()] });
    assert.deepEqual(
      [status, body.error.code, body.error.message],
      [400, 'VALIDATION_FAILED', '/ids: must NOT have more than 1000 items'],
    );
  });

  it('are listed, newest first, and repeated safely with an Idempotency-Key', async () => {
    const { type } = await unprocessed('one');
    const send = async (body: object): Promise<Response> =>
      await fetch(`${core.base}/api/v1/operations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${core.adminKey}`,
          'content-type': 'application/json',
          'idempotency-key': type,
        },
        body: JSON.stringify(body),
      });
    const wish = { action: 'disable', filter: { type } };
    const first = (await (await send(wish)).json()) as { id: string };
    assert.equal(((await (await send(wish)).json()) as { id: string }).id, first.id);
    const other = await send({ ...wish, action: 'enable' });
    assert.equal(other.status, 422);
    assert.equal(((await other.json()) as Answer['body']).error.code, 'IDEMPOTENCY_MISMATCH');
    const page = (await core.call('GET', '/operations?limit=1')).body;
    assert.deepEqual(
      page.items.map(({ id }: { id: string }) => id),
      [first.id],
    );
    const next = (await core.call('GET', `/operations?limit=200&cursor=${page.next_cursor}`)).body;
    assert.ok(next.items.length > 0 && next.items.every(({ id }: { id: string }) => id !== first.id));
  });

  it('are rejected if they are ambiguous', async () => {
    const all = { all: true };
    for (const body of [
      { action: 'delete' },
      { action: 'delete', filter: {} },
      { action: 'delete', filter: { q: '' } },
      { action: 'delete', filter: { metadata: {} } },
      { action: 'delete', filter: { q: '', metadata: {} } },
      { action: 'delete', filter: all, ids: [uuidv7()] },
      { action: 'delete', filter: { colour: 'red' } },
      { action: 'delete', ids: [] },
      { action: 'delete', filter: all, from_step: 1 },
      { action: 'delete', filter: all, metadata: {} },
      { action: 'set_metadata', filter: all },
      { action: 'explode', filter: all },
      { filter: all },
    ]) {
      const { status, body: answer } = await post(body);
      assert.deepEqual([status, answer.error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(body));
    }
  });

  it('start again when their workflow is lost', async () => {
    const { type } = await unprocessed('one');
    await core.stopWorker();
    const { body: accepted } = await post({ action: 'disable', filter: { type } });
    const { db } = core.deps;
    await eventually(async () => (await db('outbox').where({ resource_id: accepted.id })).length === 0);
    await temporal.client.workflow.getHandle(operationWorkflowId(accepted.id)).terminate('by hand');
    await db('operations')
      .where({ id: accepted.id })
      .update({ progressed_at: db.raw("now() - interval '1 minute'") });
    assert.match((await core.call('GET', `/operations/${accepted.id}`)).body.stalled, /No worker/);
    await core.startWorker();
    await db('sweeps').where({ name: 'lost operations' }).update({ due_at: db.fn.now() });
    assert.equal((await ended(accepted.id)).done, 1);
    await assertRepairs(db, 'operation_restarted', 1);
  });

  it('are cancelled with their workflow', async () => {
    const { type } = await unprocessed('one');
    await core.stopWorker();
    const { body: accepted } = await post({ action: 'disable', filter: { type } });
    const { db } = core.deps;
    await eventually(async () => (await db('outbox').where({ resource_id: accepted.id })).length === 0);
    await temporal.client.workflow.getHandle(operationWorkflowId(accepted.id)).cancel();
    await core.startWorker();
    assert.equal((await ended(accepted.id)).status, 'CANCELLED');
  });
});

describe('a bulk operation whose resources take long', () => {
  it('notes its progress after a few seconds, not after several resources', async () => {
    const api = await startApi();
    const ids: string[] = [];
    for (const name of ['slow', 'two', 'three']) ids.push((await api.upload({ name })).body.id);
    const { id } = (await api.call('POST', '/operations', { ids, action: 'disable' })).body;
    const gates = await createGates(api.deps.config.databaseUrl);
    await gates.add('disable', 'before update on resources for each row');
    await gates.close('disable', 'slow');
    const activities = createOperationActivities(api.deps);
    const carriedOut = new MockActivityEnvironment().run(() =>
      activities.carryOutItems({ operationId: id, after: null }),
    );
    await eventually(() => gates.isReached('disable', 'slow'));
    const now = performance.now.bind(performance);
    Object.defineProperty(performance, 'now', { configurable: true, value: () => now() + 6_000 });
    try {
      await gates.open('disable', 'slow');
      const { done, after } = (await carriedOut) as ItemsCarriedOut;
      assert.deepEqual([done, after], [1, ids[0]]);
    } finally {
      Object.defineProperty(performance, 'now', { configurable: true, value: now });
      await gates.stop();
      await api.stop();
    }
  });
});

describe('bulk operations that run at the same time', () => {
  it('edit each resource in the order in which they were accepted', async () => {
    const api = await startApi();
    const { db } = api.deps;
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      ids.push((await api.upload({ name })).body.id);
    const accept = async (body: object): Promise<string> =>
      (await api.call('POST', '/operations', { ids, ...body })).body.id;
    const inOrder = [
      await accept({ action: 'disable' }),
      await accept({ action: 'set_metadata', metadata: { v: 'old', other: 1 } }),
      await accept({ action: 'enable' }),
      await accept({ action: 'set_metadata', metadata: { v: 'new' } }),
    ];
    const carryOut = async (operation: string, id: string): Promise<void> => {
      await carryOutItem(db, operation, id, (await readItemAction(db, operation))!);
    };
    for (const operation of inOrder.toReversed()) await carryOut(operation, ids[0]!);
    await Promise.all(ids.flatMap((id) => inOrder.map((operation) => carryOut(operation, id))));
    const edited = [];
    for (const id of ids) {
      const { is_enabled, metadata } = (await api.call('GET', `/resources/${id}`)).body;
      edited.push([is_enabled, metadata]);
    }
    const done = [];
    for (const id of inOrder) done.push((await api.call('GET', `/operations/${id}`)).body.done);
    await api.stop();
    assert.deepEqual(
      edited,
      ids.map(() => [true, { v: 'new', other: 1 }]),
    );
    assert.deepEqual(done, [5, 5, 5, 5]);
  });
});
