import assert from 'node:assert/strict';
import Koa from 'koa';
import { defineRoute } from '../../api/route.js';
import { dispatch } from '../../api/router.js';
import { renderErrors } from '../../api/middleware/errors.js';
import { removeOldAudit } from '../../storage/audit.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const pipeline = { name: 'Documents', trigger_type: 'document', steps: [{ plugin_id: 'ocr' }] };
const ocr = { id: 'ocr', name: 'OCR', kind: 'http', endpoint: 'https://ocr.example.com/steps' };

describe('/audit', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.stop());

  const list = async (query = ''): Promise<any[]> => {
    const { status, body } = await api.call('GET', `/audit${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items;
  };
  const actions = async (query = ''): Promise<[string, string | null][]> =>
    (await list(query)).map(({ action, object }) => [action, object.id] as [string, string | null]).reverse();
  const must = async (status: number, answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer;
    assert.equal(given.status, status, given.text);
    return given;
  };

  it('lists every change by every route with its key, and no rejected requests', async () => {
    const secret = 'a-value-nobody-may-see';
    await must(201, api.call('POST', '/plugins', { ...ocr, config: { password: secret } }));
    await must(200, api.call('PUT', '/plugins/ocr', ocr));
    await must(200, api.call('PUT', '/plugins/ocr/config', { config: { password: secret } }));
    await must(200, api.call('PUT', '/plugins/ocr/toggle'));
    await must(200, api.call('POST', '/plugins/ocr/signing-secret'));
    await must(201, api.call('PUT', '/plugins/other', { ...ocr, id: 'other' }));
    await must(204, api.call('DELETE', '/plugins/other'));
    const { body: made } = await must(201, api.call('POST', '/pipelines', pipeline));
    await must(200, api.call('PUT', `/pipelines/${made.id}`, { steps: pipeline.steps }));
    const { body: resource } = await must(201, api.upload());
    await must(202, api.call('POST', `/resources/${resource.id}/cancel`));
    await must(200, api.call('PATCH', `/resources/${resource.id}`, { name: secret }));
    await must(200, api.call('PUT', `/resources/${resource.id.toUpperCase()}/toggle`));
    await must(202, api.call('POST', `/resources/${resource.id}/reprocess`));
    await must(409, api.call('DELETE', `/resources/${resource.id}`));
    await must(202, api.call('POST', `/resources/${resource.id}/cancel`));
    await must(204, api.call('DELETE', `/resources/${resource.id}`));
    await must(202, api.call('POST', '/resources/reprocess', { status: 'FAILED' }));
    await must(204, api.call('DELETE', `/pipelines/${made.id}`));
    await must(404, api.call('DELETE', `/pipelines/${made.id}`));
    await must(409, api.call('POST', '/plugins', ocr));
    const { body: key } = await must(201, api.call('POST', '/keys', { name: 'Ada', scopes: ['read'] }));
    const keyOfAda = { bearer: key.secret };
    await must(403, api.call('POST', '/pipelines', pipeline, keyOfAda));
    const login = await must(201, api.call('POST', '/session', { api_key: key.secret }, { bearer: null }));
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const byCookie = { bearer: null, headers: { cookie, origin: api.base } };
    await must(204, api.call('DELETE', '/session', undefined, byCookie));
    await must(204, api.call('DELETE', '/session', undefined, byCookie));
    await must(204, api.call('DELETE', '/session', undefined, { bearer: null }));
    await must(204, api.call('DELETE', `/keys/${key.id}`));
    await must(204, api.call('DELETE', `/keys/${key.id}`));

    assert.deepEqual(await actions(), [
      ['createPlugin', 'ocr'],
      ['registerPlugin', 'ocr'],
      ['replacePluginConfig', 'ocr'],
      ['togglePlugin', 'ocr'],
      ['rotateSigningSecret', 'ocr'],
      ['registerPlugin', 'other'],
      ['deletePlugin', 'other'],
      ['createPipeline', made.id],
      ['replacePipeline', made.id],
      ['registerResource', resource.id],
      ['cancelResource', resource.id],
      ['updateResource', resource.id],
      ['toggleResource', resource.id],
      ['reprocessResource', resource.id],
      ['cancelResource', resource.id],
      ['deleteResource', resource.id],
      ['reprocessResources', null],
      ['deletePipeline', made.id],
      ['createKey', key.id],
      ['createSession', null],
      ['deleteSession', null],
      ['deleteKey', key.id],
    ]);
    const entries = await list();
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(`${secret}|kw_|whsec_`));
    const [deleted, logout] = entries;
    assert.deepEqual([deleted.object.type, deleted.key.name], ['key', 'admin']);
    assert.deepEqual([logout.object.type, logout.key], ['session', { id: key.id, name: 'Ada' }]);
    assert.ok(entries.every(({ address }) => /127\.0\.0\.1$/.test(address)));

    const byAda = await actions(`?key=${key.id}`);
    assert.deepEqual(byAda, [
      ['createSession', null],
      ['deleteSession', null],
    ]);
    assert.deepEqual(await actions(`?key=${key.id.toUpperCase()}`), byAda);
    for (const id of [resource.id, resource.id.toUpperCase()])
      assert.equal((await list(`?object=${id}&action=cancelResource`)).length, 2, id);
    assert.deepEqual(await list(`?since=${deleted.at}&action=deleteKey`), [deleted]);
    assert.deepEqual(await list('?since=2099-01-01T00:00:00Z'), []);
  });

  it('has no gaps between pages while more is written', async () => {
    for (let n = 0; n < 5; n += 1) await must(201, api.upload());
    const before = (await list()).map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Answer = await api.call('GET', `/audit?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
      await must(201, api.upload());
    }
    assert.deepEqual(seen, before);
    for (const query of ['cursor=x', 'key=x', 'since=yesterday', 'since=2016-13-01T00:00:00Z', 'who=me'])
      await must(400, api.call('GET', `/audit?${query}`));
  });

  it('gets one entry for a request that is repeated, with the id of that request', async () => {
    const headers = { 'idempotency-key': 'once', 'x-request-id': 'first' };
    const { body } = await must(201, api.call('POST', '/plugins', ocr));
    assert.equal(body.id, 'ocr');
    const first = await must(201, api.call('POST', '/pipelines', pipeline, { headers }));
    const again = await must(201, api.call('POST', '/pipelines', pipeline, { headers }));
    assert.equal(again.text, first.text);
    const entries = await list('?action=createPipeline');
    assert.deepEqual(
      entries.map(({ object, request_id }) => [object, request_id]),
      [[{ type: 'pipeline', id: first.body.id }, 'first']],
    );
  });

  it('makes a route fail that bypasses it', async () => {
    const forgetful = defineRoute({
      method: 'POST',
      path: '/resources',
      operationId: 'forget',
      summary: '',
      tag: '',
      scope: 'open',
      responses: {},
      handler: () => Promise.resolve({ status: 204 }),
    });
    const deps = { ...api.deps, rateLimits: null, jsonThread: null } as never;
    const app = new Koa();
    app.use(async (ctx, next) => {
      ctx.state = { client: { address: '' } };
      await next();
    });
    app.use(renderErrors(api.deps.log) as Koa.Middleware);
    app.use(dispatch(deps, [forgetful]) as Koa.Middleware);
    const server = app.listen(0);
    try {
      const { port } = server.address() as { port: number };
      const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/resources`, { method: 'POST' });
      assert.equal(status, 500);
    } finally {
      server.close();
    }
  });

  it('keeps entries for a year', async () => {
    await must(201, api.upload());
    await must(201, api.upload());
    const [newer, older] = await list();
    const past = api.deps.db.raw("now() - interval '366 days'");
    await api.deps.db('audit').where({ id: older.id }).update({ at: past });
    await removeOldAudit(api.deps.db, 100);
    assert.deepEqual(await list(), [newer]);
  });
});
