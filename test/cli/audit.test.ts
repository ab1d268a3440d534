import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../support/service/api.js';
import { createKw } from '../support/service/kw.js';

describe('kw audit', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('lists changes by the given filters', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await api.upload()).body.id);
    assert.equal((await api.call('DELETE', `/resources/${ids[1]}`)).status, 204);
    const kw = createKw({ KW_URL: api.base, KW_API_KEY: await api.key('admin') });

    const { body } = await api.call('GET', '/audit');
    assert.deepEqual(JSON.parse((await kw('audit', '--json')).stdout), body.items);
    const registered = await kw('audit', '--action', 'registerResource', '--limit', '2', '--json');
    const objects = JSON.parse(registered.stdout).map(({ object }: { object: { id: string } }) => object.id);
    assert.deepEqual(objects, ids.slice(0, 2));

    const [header, ...rows] = (await kw('audit', '--object', ids[1]!)).stdout.trimEnd().split('\n');
    assert.match(header!, /^TIME +KEY +ADDRESS +ACTION +OBJECT/);
    assert.match(
      rows[0]!,
      new RegExp(`^20\\S+ +admin +\\S*127\\.0\\.0\\.1 +deleteResource +resource ${ids[1]}`),
    );
    assert.equal(rows.length, 2);

    const refused = await kw('audit', '--since', 'yesterday');
    assert.match(refused.stderr, /It must be a time/);
    const reader = createKw({ KW_URL: api.base, KW_API_KEY: await api.key('read') });
    assert.match((await reader('audit')).stderr, /it needs the scope admin/);
  });
});
