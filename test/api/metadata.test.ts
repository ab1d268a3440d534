import assert from 'node:assert/strict';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

describe('the metadata of a resource', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const plugin = { id: 'w', name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('POST', '/plugins', plugin);
    for (const type of ['piped', 'other'])
      await api.call('POST', '/pipelines', { name: type, trigger_type: type, steps: [{ plugin_id: 'w' }] });
  });
  after(() => api.stop());

  const source = { kind: 'URL', url: 'https://example.com/' };
  const register = (metadata: unknown, type = 'unknown'): Promise<Answer> =>
    api.call('POST', '/resources', { name: 'N', type, source, metadata });
  const patch = (id: string, body: unknown, etag?: string): Promise<Answer> =>
    api.call('PATCH', `/resources/${id}`, body, { headers: etag === undefined ? {} : { 'if-match': etag } });
  const get = (id: string): Promise<Answer> => api.call('GET', `/resources/${id}`);
  const all = JSON.parse(
    '{"team":"archive","year":2025,"ratio":-1.5e-7,"draft":false,"none":null,"tags":["a","ü 𝄞","a"],"a.b_c-d":"","__proto__":"p","constructor":[]}',
  ) as Record<string, unknown>;

  it('is set by both forms of registration, and shown wherever the resource is', async () => {
    const sent = await register(all);
    assert.deepEqual([sent.status, sent.body.metadata], [201, all]);
    const uploaded = await api.upload({ metadata: JSON.stringify(all), type: 'meta' });
    assert.deepEqual([uploaded.status, uploaded.body.metadata], [201, all]);
    assert.deepEqual((await get(sent.body.id)).body.metadata, all);
    assert.deepEqual((await api.call('GET', '/resources?type=meta')).body.items[0].metadata, all);
    assert.deepEqual((await api.upload()).body.metadata, {});
  });

  it('is validated, with the location and the rule in the error', async () => {
    const key = (number: number): string => `k${number}`.padEnd(64, '.');
    const many = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), index]));
    const sized = (bytes: number): object => ({ k: 'ä'.repeat((bytes - 8) / 2) });
    assert.equal(Buffer.byteLength(JSON.stringify(sized(16_384))), 16_384);
    for (const good of [many(64), sized(16_384), { k: 'a\nb' }])
      assert.equal((await register(good)).status, 201, JSON.stringify(good).slice(0, 80));
    const bad: readonly [unknown, string][] = [
      [many(65), '/metadata'],
      [sized(16_386), '/metadata'],
      [{ '': 1 }, '/metadata/'],
      [{ 'a b': 1 }, '/metadata/a b'],
      [{ é: 1 }, '/metadata/é'],
      [{ ['k'.repeat(65)]: 1 }, `/metadata/${'k'.repeat(65)}`],
      [{ k: {} }, '/metadata/k'],
      [{ k: [1] }, '/metadata/k/0'],
      [{ k: [['a']] }, '/metadata/k/0'],
      [{ k: 'a\u0000b' }, '/metadata/k'],
      [{ k: ['\ud800'] }, '/metadata/k/0'],
      [[], '/metadata'],
      ['{}', '/metadata'],
      [null, '/metadata'],
    ];
    for (const [metadata, path] of bad)
      for (const answer of [await register(metadata), await upload(metadata)]) {
        const what = JSON.stringify(metadata).slice(0, 80);
        assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_FAILED'], what);
        assert.ok(
          answer.body.error.details.errors.some((each: { path: string }) => each.path === path),
          answer.text,
        );
      }
    assert.equal(
      (await api.upload({ metadata: '{"k":1e999}' })).body.error.details.errors[0].path,
      '/metadata/k',
    );
    assert.equal((await api.upload({ metadata: '{k: 1}' })).body.error.details.errors[0].path, '/metadata');
    const deep = `{"k":${'['.repeat(30_000)}1e999${']'.repeat(30_000)}}`;
    for (const field of ['metadata', 'source'])
      assert.deepEqual((await api.upload({ [field]: deep })).body.error.details.errors, [
        { path: `/${field}`, message: 'is nested deeper than 68 levels' },
      ]);
    async function upload(metadata: unknown): Promise<Answer> {
      return await api.upload({ metadata: JSON.stringify(metadata) });
    }
  });

  it('is changed by a JSON Merge Patch with an ETag', async () => {
    const { id } = (await register({ a: 1, b: ['x'], c: 'c' })).body;
    const before = (await get(id)).headers.get('etag') ?? '';
    const changed = await patch(id, { metadata: { a: null, b: ['y'], d: true } }, before);
    assert.deepEqual([changed.status, changed.body.metadata], [200, { b: ['y'], c: 'c', d: true }]);
    const after = changed.headers.get('etag') ?? '';
    assert.notEqual(after, before);
    assert.equal((await patch(id, { metadata: { a: 1 } }, before)).body.error.code, 'PRECONDITION_FAILED');
    for (const nothing of [
      { metadata: {} },
      { metadata: { d: true, c: 'c', none: null } },
      { is_enabled: true },
    ]) {
      const same = await patch(id, nothing, after);
      assert.deepEqual([same.headers.get('etag'), same.body], [after, changed.body]);
    }
    assert.equal((await patch(id, { name: 'M' })).body.metadata.c, 'c');
    const found = async (query: string): Promise<boolean> =>
      (await api.call('GET', `/resources?${query}`)).body.items.some(
        (each: { id: string }) => each.id === id,
      );
    assert.equal(await found('metadata.b=y&metadata.c[gte]=c&metadata.c[lte]=c'), true);
    await patch(id, { metadata: { c: 'd' } });
    assert.equal(await found('metadata.c[lte]=c'), false);
    assert.equal(await found('metadata.c[gte]=d'), true);
    assert.deepEqual((await patch(id, { metadata: null })).body.metadata, {});
    for (const metadata of [{ 'a b': 1 }, { k: { nested: 1 } }, { k: 'x'.repeat(16_384) }, 'x', []])
      assert.equal((await patch(id, { metadata })).status, 400, JSON.stringify(metadata).slice(0, 80));
    assert.deepEqual((await get(id)).body.metadata, {});
  });

  it('does not affect a run, and is visible to workers and watchers', async () => {
    const { id, run } = (await register({ team: 'archive' }, 'piped')).body;
    const { db } = api.deps;
    const state = async (): Promise<unknown> => await db('steps').where({ resource_id: id });
    const before = await state();
    assert.equal((await patch(id, { metadata: { year: 2026 } })).status, 200);
    assert.deepEqual(await state(), before);
    const events: { type: string }[] = await db('events').where({ resource_id: id }).orderBy('id');
    assert.equal(events.at(-1)?.type, 'resource.updated');
    await api.advance({ id, run }, { kind: 'BEGIN' });
    await db('runs').where({ resource_id: id }).update({ source_ready: true });
    await api.advance({ id, run }, { kind: 'BEGIN' });
    const claim = { resource_id: id, run: 1, step_index: 0, attempt: 1 };
    const claimed = await api.call('POST', '/internal/attempts', claim, {
      bearer: await api.key('plugin:w'),
    });
    assert.deepEqual(claimed.body.resource?.metadata, { team: 'archive', year: 2026 }, claimed.text);
  });
});
