import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import { cancelResource } from '../../storage/transitions/resource-requests.js';
import { lockWaits } from '../support/servers/postgres.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';
import { forbiddenHosts } from '../support/network/forbidden-hosts.js';

const url = 'https://example.com/report.html';

describe('resources', () => {
  let api: TestApi;

  const register = async (name: string, type: string, more: object = {}): Promise<Answer> =>
    await api.call('POST', '/resources', { name, type, source: { kind: 'URL', url }, ...more });
  const list = async (query: string): Promise<string[]> =>
    (await api.call('GET', `/resources?${query}`)).body.items.map((item: { name: string }) => item.name);

  before(async () => {
    api = await startApi({ env: { KW_URL_ALLOW: '127.0.0.1:8081' } });
    await api.call('POST', '/plugins', {
      id: 'worker',
      name: 'W',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
    });
    const steps = [{ plugin_id: 'worker', max_attempts: 2 }, { plugin_id: 'worker' }];
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: 'piped', steps });
  });
  after(() => api.stop());

  it('are registered from a URL, PENDING without a pipeline and PROCESSING with one, even if Temporal is down', async () => {
    const { status, body, headers } = await register('  A report ', ' unknown ');
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/api/v1/resources/${body.id}`);
    const { id, created_at, updated_at, ...rest } = body;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      name: 'A report',
      type: 'unknown',
      source_type: 'URL',
      source_uri: url,
      status: 'PENDING',
      no_matching_pipeline: true,
      is_enabled: true,
      metadata: {},
      run: 0,
      steps: [],
      artifacts: [],
      size_bytes: null,
      sha256: null,
      media_type: null,
      error: null,
      started_at: null,
      finished_at: null,
      workflow_id: null,
    });
    const piped = (await register('Piped', 'piped')).body;
    assert.deepEqual([piped.status, piped.run, piped.no_matching_pipeline], ['PROCESSING', 1, false]);
    assert.equal(piped.workflow_id, `resource-${piped.id}-run-1`);
    assert.deepEqual(
      piped.steps.map((step: Record<string, unknown>) => [
        step['index'],
        step['status'],
        step['attempt'],
        step['max_attempts'],
      ]),
      [
        [0, 'PENDING', 0, 2],
        [1, 'PENDING', 0, 3],
      ],
    );
    assert.deepEqual((await api.call('GET', `/resources/${body.id}`)).body, body);
  });

  it('enforce the rules of their fields', async () => {
    const source = { kind: 'URL', url };
    const long = '😀'.repeat(500);
    assert.equal((await register(long, 'x'.repeat(100))).body.name, long);
    assert.equal((await register('Zeile – 報告 "quoted" \\ % _', 't')).status, 201);
    const bad: [object, string][] = [
      [{ type: 't', source }, '/name'],
      [{ name: 'n', source }, '/type'],
      [{ name: 'n', type: 't' }, '/source'],
      [{ name: `${long}x`, type: 't', source }, '/name'],
      [{ name: 'n', type: 'x'.repeat(101), source }, '/type'],
      [{ name: ' \t ', type: 't', source }, '/name'],
      [{ name: 'a\u0000b', type: 't', source }, '/name'],
      [{ name: 'a\nb', type: 't', source }, '/name'],
      [{ name: 'a\u0085b', type: 't', source }, '/name'],
      [{ name: 'a\ud800b', type: 't', source }, '/name'],
      [{ name: 7, type: 't', source }, '/name'],
      [{ name: 'n', type: 't', source, status: 'COMPLETED' }, '/status'],
      [{ name: 'n', type: 't', source: 'https://example.com' }, '/source'],
      [{ name: 'n', type: 't', source: {} }, '/source/kind'],
      [{ name: 'n', type: 't', source: { kind: 'FTP', url } }, '/source/kind'],
      [{ name: 'n', type: 't', source: { kind: 'URL' } }, '/source/url'],
      [{ name: 'n', type: 't', source: { kind: 'URL', url: 'no url' } }, '/source/url'],
      [{ name: 'n', type: 't', source: { kind: 'URL', url: 'https://example.com/\u0000' } }, '/source/url'],
      [{ name: 'n', type: 't', source: { kind: 'URL', url, more: 1 } }, '/source/more'],
      [{ name: 'n', type: 't', source: { kind: 'UPLOAD' } }, '/source/kind'],
      [{ name: 'n', type: 't', source: { kind: 'UPLOAD', file: 'x' } }, '/source/file'],
    ];
    for (const [body, path] of bad) {
      const answer = await api.call('POST', '/resources', body);
      assert.deepEqual(
        [answer.status, answer.body.error.code],
        [400, 'VALIDATION_FAILED'],
        JSON.stringify(body),
      );
      const paths = answer.body.error.details.errors.map((each: { path: string }) => each.path);
      assert.ok(paths.includes(path), `${JSON.stringify(body).slice(0, 100)}: ${paths.join()}`);
    }
  });

  it('are not fetched from internal addresses', async () => {
    const refused = [
      ...forbiddenHosts.flatMap(([, ...hosts]) => hosts.map((host) => `http://${host}/latest`)),
      'ftp://example.com/a',
      'file:///etc/passwd',
      'https://user:pw@example.com/',
      'http://127.0.0.1:8082/',
    ];
    for (const each of refused) {
      const { status, body } = await register('n', 't', { source: { kind: 'URL', url: each } });
      assert.deepEqual([status, body.error.code], [400, 'URL_NOT_ALLOWED'], each);
    }
    const allowed = 'http://127.0.0.1:8081/a?b=%20c#d';
    assert.equal(
      (await register('n', 't', { source: { kind: 'URL', url: allowed } })).body.source_uri,
      allowed,
    );
  });

  it('keep their URL as given, except for spaces', async () => {
    for (const [given, stored] of [
      ['  https://example.com/a\t', null],
      ['  https://example.com/a b?c d#e f ', 'https://example.com/a%20b?c%20d#e%20f'],
      ['HTTPS://Example.COM:443/%7ea/../ü?"<>"', 'HTTPS://Example.COM:443/%7ea/../ü?"<>"'],
      ['https://exam ple.com/', null],
      ['  ', null],
    ] as const) {
      const { status, body } = await register('n', 'spaces', { source: { kind: 'URL', url: given } });
      assert.equal(status, stored === null ? 400 : 201, given);
      if (stored !== null) assert.equal(body.source_uri, stored);
    }
  });

  it('are listed newest first, page by page, by every filter', async () => {
    const type = `list-${uuidv7()}`;
    const names = ['100% sure', '100 days', 'under_score', 'UNDERSCORE', 'Straße', 'back\\slash', "quo'te"];
    for (const name of names) await register(name, type);
    const newest = names.toReversed();
    assert.deepEqual(await list(`type=${type}`), newest);
    assert.deepEqual(await list(`type=${type}&q=100%25`), ['100% sure']);
    assert.deepEqual(await list(`type=${type}&q=under_`), ['under_score']);
    assert.deepEqual(await list(`type=${type}&q=UNDER`), ['UNDERSCORE', 'under_score']);
    assert.deepEqual(await list(`type=${type}&q=${encodeURIComponent('\\')}`), ['back\\slash']);
    assert.deepEqual(await list(`type=${type}&q=${encodeURIComponent("'")}`), ["quo'te"]);
    assert.deepEqual(await list(`type=${type}&q=none`), []);
    assert.deepEqual(await list(`type=${type}&status=COMPLETED`), []);
    assert.equal(
      (await list(`type=${type}&status=PENDING&source_type=URL&is_enabled=true`)).length,
      names.length,
    );
    assert.deepEqual(await list(`type=${type}&source_type=UPLOAD`), []);
    assert.deepEqual(await list('type=piped&status=PROCESSING'), ['Piped']);

    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer = await api.call(
        'GET',
        `/resources?type=${type}&limit=3${cursor && `&cursor=${cursor}`}`,
      );
      assert.ok(body.items.length <= 3);
      seen.push(...body.items.map((item: { name: string }) => item.name));
      cursor = body.next_cursor;
      // What comes meanwhile shifts no page.
      if (seen.length === 3) await register('new', type);
    }
    assert.deepEqual(seen, newest);
  });

  it('are found by a part of their name, however client and server compose its letters', async () => {
    const type = `composed-${uuidv7()}`;
    const names = ['U\u0308bersicht.txt', '\u00dcberblick.txt', '\u1e69\u0323 and \u00fc'];
    for (const name of names) await register(name, type);
    const found = async (q: string): Promise<string[]> =>
      (await list(`type=${type}&q=${encodeURIComponent(q)}`)).toSorted();
    const both = names.slice(0, 2).toSorted();
    for (const form of ['NFC', 'NFD']) assert.deepEqual(await found('\u00fcber'.normalize(form)), both);
    assert.deepEqual(await found(names[2] ?? ''), names.slice(2));
  });

  it('are listed page by page in the order of the longest names', async () => {
    for (const character of ['😀', '"', '\\', 'ß']) {
      const type = `long-${uuidv7()}`;
      for (let count = 0; count < 2; count += 1) await register(character.repeat(500), type);
      for (const sort of ['name', '-name']) {
        const page = `/resources?type=${type}&limit=1&sort=${sort}`;
        const { body: first } = await api.call('GET', page);
        const { status, body: second } = await api.call('GET', `${page}&cursor=${first.next_cursor}`);
        assert.deepEqual([status, second.items?.length, second.next_cursor], [200, 1, null], character);
        assert.notEqual(second.items[0].id, first.items[0].id);
        const gone = await register(character.repeat(499) + (sort === 'name' ? '\t' : '\u{10fffd}'), type);
        const { body: begun } = await api.call('GET', page);
        assert.equal(begun.items[0].id, gone.body.id, 'it is the first');
        await api.call('DELETE', `/resources/${gone.body.id}`);
        const { body: rest } = await api.call('GET', `${page}&cursor=${begun.next_cursor}`);
        assert.equal(rest.items[0].id, first.items[0].id, 'nothing is left out after a deletion');
      }
    }
  });

  it('are listed without steps and artifacts, unless these are requested', async () => {
    const one = async (query: string): Promise<Record<string, unknown>> =>
      (await api.call('GET', `/resources?type=piped&limit=1${query}`)).body.items[0];
    const keys = (item: object): string[] =>
      Object.keys(item).filter((key) => key === 'steps' || key === 'artifacts');
    assert.deepEqual(keys(await one('')), []);
    assert.deepEqual(keys(await one('&include=artifacts')), ['artifacts']);
    for (const query of ['&include=steps,artifacts', '&include=steps&include=artifacts']) {
      const both = await one(query);
      assert.equal((both['steps'] as object[]).length, 2);
      assert.deepEqual(both['artifacts'], []);
    }
    for (const query of ['include=steps,steps', 'include=steps&include=steps', 'include=steps&include=x'])
      assert.equal((await api.call('GET', `/resources?${query}`)).status, 400, query);
  });

  it('are listed with the steps of the same moment, as are their runs', async () => {
    const type = `changing-${uuidv7()}`;
    const steps = [{ plugin_id: 'worker' }];
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: type, steps });
    const { id } = (await register('Changing', type)).body;
    const { db } = api.deps;
    const trx = await db.transaction();
    await trx.raw('lock table steps');
    const reading = [`/resources?type=${type}&include=steps`, `/resources/${id}/runs`].map((path) =>
      api.call('GET', path),
    );
    await lockWaits(db, reading.length);
    await cancelResource(trx, id);
    await trx.commit();
    for (const { body } of await Promise.all(reading)) {
      const [item] = body.items;
      assert.deepEqual([item.status, item.steps[0].status], ['CANCELLED', 'CANCELLED']);
    }
  });

  it('can be edited only in the fields that users write', async () => {
    const { id } = (await register('Before', 'edited')).body;
    const edited = await api.call('PATCH', `/resources/${id}`, { name: ' After ', is_enabled: false });
    assert.deepEqual([edited.status, edited.body.name, edited.body.is_enabled], [200, 'After', false]);
    assert.ok(edited.body.updated_at >= edited.body.created_at);
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    assert.equal(
      (await api.call('PATCH', `/resources/${id}`, { is_enabled: true }, merge)).body.name,
      'After',
    );
    for (const body of [
      {},
      { type: 'other' },
      { source_uri: 'https://example.com/other' },
      { name: null },
      { name: '' },
      { is_enabled: 'no' },
      { name: 'ok', status: 'COMPLETED' },
      [],
    ]) {
      assert.equal((await api.call('PATCH', `/resources/${id}`, body)).status, 400, JSON.stringify(body));
    }
    for (const unknown of [uuidv7(), `urn:uuid:${uuidv7()}`])
      assert.equal((await api.call('PATCH', `/resources/${unknown}`, { name: 'x' })).status, 404);
    assert.equal((await api.call('PUT', `/resources/${id}/toggle`)).body.is_enabled, false);
    assert.equal((await api.call('PUT', `/resources/${id}/toggle`, {})).body.is_enabled, true);
    assert.equal((await api.call('GET', `/resources/${id}`)).body.name, 'After');
  });

  it('reflect the pipelines that exist when they are read', async () => {
    const { id } = (await register('Late', 'late')).body;
    const reprocess = async (): Promise<Answer> => await api.call('POST', `/resources/${id}/reprocess`);
    assert.equal((await reprocess()).body.error.code, 'NO_MATCHING_PIPELINE');
    const steps = [{ plugin_id: 'worker' }];
    const pipeline = (await api.call('POST', '/pipelines', { name: 'Late', trigger_type: 'late', steps }))
      .body;
    const before = (await api.call('GET', `/resources/${id}`)).body;
    assert.deepEqual([before.status, before.no_matching_pipeline], ['PENDING', false]);
    const started = await reprocess();
    assert.deepEqual([started.status, started.body.status, started.body.run], [202, 'PROCESSING', 1]);
    assert.equal((await reprocess()).body.error.code, 'RESOURCE_PROCESSING');
    await api.call('DELETE', `/pipelines/${pipeline.id}`);
    const inFlight = (await api.call('GET', `/resources/${id}`)).body;
    assert.deepEqual(
      [inFlight.status, inFlight.steps.length, inFlight.no_matching_pipeline],
      ['PROCESSING', 1, true],
    );
  });

  it('are cancelled, resumed, listed run by run and deleted', async () => {
    const { id } = (await register('Short', 'piped')).body;
    const call = async (method: string, rest = '', body?: unknown): Promise<Answer> =>
      await api.call(method, `/resources/${id}${rest}`, body);
    assert.deepEqual(
      [(await call('DELETE')).status, (await call('DELETE')).body.error.code],
      [409, 'RESOURCE_PROCESSING'],
    );
    const cancelled = await call('POST', '/cancel');
    assert.deepEqual([cancelled.status, cancelled.body.status], [202, 'CANCELLED']);
    assert.deepEqual(
      cancelled.body.steps.map((step: { status: string }) => step.status),
      ['CANCELLED', 'CANCELLED'],
    );
    assert.equal((await call('POST', '/cancel')).body.error.code, 'RESOURCE_NOT_PROCESSING');

    for (const [from_step, code] of [
      [5, 'STEP_NOT_RESUMABLE'],
      [1, 'STEP_NOT_RESUMABLE'],
      [-1, 'VALIDATION_FAILED'],
      ['first', 'VALIDATION_FAILED'],
      [0.5, 'VALIDATION_FAILED'],
    ] as const) {
      assert.equal(
        (await call('POST', '/reprocess', { from_step })).body.error.code,
        code,
        String(from_step),
      );
    }
    assert.equal((await call('POST', '/reprocess', { from: 1 })).status, 400);
    assert.equal((await call('POST', '/reprocess', { from_step: 'failed' })).body.run, 2);
    await call('POST', '/cancel');

    const runs = (await call('GET', '/runs')).body;
    assert.deepEqual(
      runs.items.map((run: { run: number; status: string }) => [run.run, run.status]),
      [
        [2, 'CANCELLED'],
        [1, 'CANCELLED'],
      ],
    );
    const first = (await call('GET', '/runs?limit=1')).body;
    const second = (await call('GET', `/runs?limit=1&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([first.items[0].run, second.items[0].run, second.next_cursor], [2, 1, null]);
    assert.equal((await call('GET', '/runs?cursor=WyJhIl0')).status, 400);
    assert.equal((await call('GET', '/attempts?cursor=WyJhIl0')).status, 400);
    assert.deepEqual((await call('GET', '/attempts')).body, { items: [], next_cursor: null });

    const gone = await call('DELETE');
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.equal((await call('GET')).status, 404);
    assert.equal((await call('DELETE')).status, 404);
  });

  it('are reprocessed by type and status, where possible', async () => {
    const type = `many-${uuidv7()}`;
    for (const name of ['a', 'b', 'c']) await register(name, type);
    const many = async (body: unknown): Promise<Answer> =>
      await api.call('POST', '/resources/reprocess', body);
    assert.equal((await many({ type })).body.count, 0);
    await api.call('POST', '/pipelines', {
      name: 'Many',
      trigger_type: type,
      steps: [{ plugin_id: 'worker' }],
    });
    const { status, body: made } = await many({ type, status: 'PENDING' });
    assert.deepEqual([status, made.count], [202, 3]);
    const { body: operation } = await api.call('GET', `/operations/${made.operation_id}`);
    assert.deepEqual(
      [operation.action, operation.filter, operation.status, operation.matched],
      ['reprocess', { type, status: 'PENDING' }, 'RUNNING', 3],
    );
    const other = `other-${uuidv7()}`;
    await api.call('POST', '/pipelines', {
      ...{ name: 'Other', trigger_type: other, steps: [{ plugin_id: 'worker' }] },
    });
    await api.deps.db('resources').update({ status: 'CANCELLED' }).where({ type });
    await api.deps.db('resources').update({ type: other }).where({ type, name: 'a' });
    assert.equal((await many({ type: [type], status: ['FAILED', 'PENDING'] })).body.count, 0);
    assert.equal((await many({ type: [type, other], status: ['FAILED', 'CANCELLED'] })).body.count, 3);
    for (const body of [
      ...[{}, { name: 'a' }, { status: 'DONE' }, { type: 5 }, [], { type: 'a\u0000' }],
      ...[{ type: [] }, { status: ['FAILED', 'DONE'] }],
    ]) {
      assert.equal((await many(body)).status, 400, JSON.stringify(body));
    }
  });
});
