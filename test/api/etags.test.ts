import assert from 'node:assert/strict';
import { uuidv7 } from '../../core/ids.js';
import type { Answer } from '../support/service/api.js';
import { source, startTagged, strong, worker, type Tagged } from '../support/service/etags.js';

describe('ETags', () => {
  let api: Tagged['api'];
  let get: Tagged['get'];
  let tagOf: Tagged['tagOf'];
  let change: Tagged['change'];
  let register: Tagged['register'];
  let plugin: Tagged['plugin'];
  before(async () => {
    ({ api, get, tagOf, change, register, plugin } = await startTagged());
  });
  after(() => api.stop());

  const pipeline = async (): Promise<Answer> =>
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: `type-${uuidv7()}`,
      steps: [{ plugin_id: 'worker' }],
    });

  it('are the same on reads and on responses to changes', async () => {
    const id = await register('unknown');
    const made = await pipeline();
    const plugins = `/plugins/${await plugin()}`;
    const config = { config: { a: 1 } };
    const cases: [string, string, unknown, string?][] = [
      ['PATCH', `/resources/${id}`, { name: 'M' }],
      ['PUT', `/resources/${id}/toggle`, undefined, `/resources/${id}`],
      ['PUT', `/pipelines/${made.body.id}`, [{ plugin_id: 'worker', max_attempts: 9 }]],
      ['PUT', `${plugins}/toggle`, undefined, plugins],
      ['PUT', `${plugins}/config`, config, plugins],
      ['PUT', plugins, { ...worker, name: 'X' }],
      ['POST', '/resources', { name: 'N', type: 'document', source }, 'location'],
      ['POST', '/plugins', { ...worker, id: 'posted' }, 'location'],
    ];
    assert.equal(made.headers.get('etag'), await tagOf(`/pipelines/${made.body.id}`));
    for (const [method, path, body, where = path] of cases) {
      const answer = await change(method, path, body);
      const at = where === 'location' ? (answer.headers.get('location') ?? '').replace('/api/v1', '') : where;
      assert.match(answer.headers.get('etag') ?? '', strong);
      assert.equal(answer.headers.get('etag'), await tagOf(at), `${method} ${path} ${answer.text}`);
      const bearer = await api.key('read');
      assert.equal((await api.call('GET', at, undefined, { bearer })).headers.get('etag'), await tagOf(at));
    }
    const resource = (await api.upload()).body;
    for (const rest of ['cancel', 'reprocess', 'cancel']) {
      const answer = await change('POST', `/resources/${resource.id}/${rest}`, undefined);
      assert.deepEqual(
        [answer.status, answer.headers.get('etag')],
        [202, await tagOf(`/resources/${resource.id}`)],
      );
    }
  });

  it('turn a GET whose If-None-Match contains them into a 304', async () => {
    const paths = [
      `/resources/${await register('unknown')}`,
      `/pipelines/${(await pipeline()).body.id}`,
      '/plugins/worker',
    ];
    for (const path of paths) {
      const tag = await tagOf(path);
      for (const header of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
        const { status, text, headers } = await get(path, { 'if-none-match': header });
        assert.deepEqual([status, text, headers.get('etag')], [304, '', tag], header);
      }
      for (const header of ['"x"', tag.slice(1, -1), '']) {
        assert.equal((await get(path, { 'if-none-match': header })).status, 200, header);
      }
      const head = await api.call('HEAD', path, undefined, { headers: { 'if-none-match': tag } });
      assert.equal(head.status, 304);
    }
    assert.equal((await get(`/resources/${uuidv7()}`, { 'if-none-match': '*' })).status, 404);
  });

  it('reject changes based on another version: 412, and nothing changes', async () => {
    const resource = async (): Promise<string> => `/resources/${await register('unknown')}`;
    const aPipeline = async (): Promise<string> => `/pipelines/${(await pipeline()).body.id}`;
    const aPlugin = async (): Promise<string> => `/plugins/${await plugin()}`;
    const cases: [() => Promise<string>, string, string, unknown][] = [
      [resource, 'PATCH', '', { name: 'M' }],
      [resource, 'PUT', '/toggle', undefined],
      [resource, 'DELETE', '', undefined],
      [aPipeline, 'PUT', '', { name: 'Q', steps: [{ plugin_id: 'worker', max_attempts: 2 }] }],
      [aPipeline, 'DELETE', '', undefined],
      [aPlugin, 'PUT', '/toggle', undefined],
      [aPlugin, 'PUT', '/config', { config: { a: 1 } }],
      [aPlugin, 'PUT', '', { ...worker, name: 'X' }],
      [aPlugin, 'DELETE', '', undefined],
    ];
    for (const [make, method, rest, body] of cases) {
      const path = await make();
      const before = await get(path);
      const tag = before.headers.get('etag') ?? '';
      for (const match of ['"x"', `W/${tag}`, tag.slice(1, -1), '', '"x", "y"']) {
        const { status, body: answer } = await change(method, path + rest, body, match);
        assert.deepEqual(
          [status, answer?.error.code],
          [412, 'PRECONDITION_FAILED'],
          `${method} ${path} ${match}`,
        );
      }
      assert.deepEqual({ ...(await get(path)).body, pollers: 0 }, { ...before.body, pollers: 0 });
      const done = await change(method, path + rest, body, `"x", ${tag}`);
      assert.ok(done.status === 200 || done.status === 204, done.text);
      const again = await change(method, path + rest, body, tag);
      const isGone = method === 'DELETE';
      assert.equal(again.status, isGone ? 404 : 412);
      assert.equal((await change(method, path + rest, body, '*')).status, isGone ? 404 : 200);
    }
    const absent = await change('PUT', '/plugins/absent', worker, '*');
    assert.deepEqual([absent.status, (await get('/plugins/absent')).status], [412, 404]);
    const unmatched = { path: `/resources/${uuidv7()}`, match: '"x"' };
    assert.equal((await change('DELETE', unmatched.path, undefined, unmatched.match)).status, 404);
  });

  it('let only one of several simultaneous changes succeed', async () => {
    const resource = `/resources/${await register('unknown')}`;
    const aPipeline = `/pipelines/${(await pipeline()).body.id}`;
    const aPlugin = `/plugins/${await plugin()}`;
    const cases: [string, string, string, (index: number) => unknown][] = [
      ['PATCH', resource, '', (index) => ({ name: `name ${index}` })],
      ['PUT', resource, '/toggle', () => undefined],
      ['PUT', aPipeline, '', (index) => [{ plugin_id: 'worker', max_attempts: index + 10 }]],
      ['PUT', aPlugin, '/config', (index) => ({ config: { index } })],
      ['PUT', aPlugin, '/toggle', () => undefined],
    ];
    for (const [method, path, rest, body] of cases) {
      const tag = await tagOf(path);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => change(method, path + rest, body(index), tag)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 29 }, () => 412)], `${method} ${path}${rest}`);
      const winner = answers.find(({ status }) => status === 200);
      assert.equal(winner?.headers.get('etag'), await tagOf(path));
    }
  });
});
