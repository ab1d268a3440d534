import assert from 'node:assert/strict';
import { createFirstAdminKey } from '../../storage/auth/api-keys.js';
import { startApi, type TestApi } from '../support/service/api.js';

describe('/keys', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.stop());

  const create = async (fields: object): Promise<any> => {
    const { status, body, headers } = await api.call('POST', '/keys', { name: 'Importer', ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(headers.get('location'), `/api/v1/keys/${body.id}`);
    return body;
  };

  it('shows the secret of a new key once, and afterwards the state of the key', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { secret, ...key } = await create({ scopes: ['write'], expires_at, rate_limit: 60 });
    assert.equal(key.expires_at, expires_at);
    assert.deepEqual([key.scopes, key.rate_limit, key.last_used_at], [['write'], 60, null]);
    assert.ok(secret.startsWith(key.prefix));

    const used = await api.call('GET', '/resources', undefined, { bearer: secret });
    assert.deepEqual([used.status, used.headers.get('ratelimit-limit')], [200, '60']);
    const got = await api.call('GET', `/keys/${key.id}`);
    assert.ok(got.body.last_used_at);
    assert.deepEqual(got.body, { ...key, last_used_at: got.body.last_used_at });
    const listed = await api.call('GET', '/keys?limit=1');
    assert.deepEqual(listed.body.items, [got.body]);
    assert.ok(!listed.text.includes(secret));
    const [older] = (await api.call('GET', `/keys?cursor=${listed.body.next_cursor}`)).body.items;
    assert.deepEqual(older.scopes, ['admin']);

    // Written at most once a minute: a second use changes nothing.
    await api.call('GET', '/resources', undefined, { bearer: secret });
    assert.deepEqual((await api.call('GET', `/keys/${key.id}`)).body, got.body);
  });

  it('shows only four characters of a key that an operator chose', async () => {
    await api.deps.db('api_keys').update({ revoked_at: api.deps.db.fn.now() });
    const bearer = 'correct horse battery staple 2026'.replaceAll(' ', '-');
    assert.ok(await createFirstAdminKey(api.deps.db, bearer));
    const { body } = await api.call('GET', '/keys?limit=1', undefined, { bearer });
    assert.equal(body.items[0].prefix, 'corr');
  });

  it('rejects a deleted key, and shows how a key ended', async () => {
    const { id, secret } = await create({ scopes: ['read'] });
    const expired = await create({ scopes: ['read'], expires_at: new Date(Date.now() + 60_000) });
    await api.deps.db('api_keys').where({ id: expired.id }).update({ expires_at: '2020-01-02T03:04:05Z' });
    assert.equal((await api.call('DELETE', `/keys/${id.toUpperCase()}`)).status, 204);
    assert.equal((await api.call('DELETE', `/keys/${id}`)).status, 204);

    const said = async (bearer: string): Promise<[number, string]> => {
      const { status, body } = await api.call('GET', '/plugins', undefined, { bearer });
      return [status, body.error.message];
    };
    const [status, message] = await said(secret);
    assert.equal(status, 401);
    assert.match(message, /^This API key was revoked at 20/);
    assert.deepEqual(await said(expired.secret), [
      401,
      'This API key expired at 2020-01-02T03:04:05Z. Ask for a new one.',
    ]);
    assert.deepEqual(await said('kw_other'), [401, 'This API key is unknown.']);
    const login = await api.call('POST', '/session', { api_key: expired.secret }, { bearer: null });
    assert.match(login.body.error.message, /^This API key expired at /);
    assert.ok((await api.call('GET', `/keys/${id}`)).body.revoked_at);
  });

  it('keeps the last valid admin key, even when two keys delete each other at the same time', async () => {
    const keys = (await api.call('GET', '/keys')).body.items;
    const [first] = keys;
    const refused = await api.call('DELETE', `/keys/${first.id}`);
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'LAST_ADMIN_KEY']);

    const ended = await create({ scopes: ['admin'], expires_at: new Date(Date.now() + 60_000) });
    await api.deps.db('api_keys').where({ id: ended.id }).update({ expires_at: '2020-01-01T00:00:00Z' });
    assert.equal((await api.call('DELETE', `/keys/${first.id}`)).status, 409);

    const other = await create({ scopes: ['read', 'admin'] });
    const statuses = await Promise.all([
      api.call('DELETE', `/keys/${other.id}`),
      api.call('DELETE', `/keys/${first.id}`, undefined, { bearer: other.secret }),
    ]);
    const codes = statuses.map(({ status }) => status);
    // One succeeds. The other finds itself without a key, or to be the last.
    assert.equal(codes.filter((status) => status === 204).length, 1, String(codes));
    const { rows } = await api.deps.db.raw(
      "select 1 from api_keys where 'admin' = any (scopes) and revoked_at is null and expires_at is null",
    );
    assert.equal(rows.length, 1);
  });

  const wrong: readonly [string, object, string][] = [
    ['no scopes', { scopes: [] }, '/scopes'],
    ['an unknown scope', { scopes: ['root'] }, '/scopes/0'],
    ['a plugin that cannot be', { scopes: ['plugin:No'] }, '/scopes/0'],
    ['an expiry in the past', { scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    ['an expiry that is no time', { scopes: ['read'], expires_at: 'tomorrow' }, '/expires_at'],
    ['a field that it does not know', { scopes: ['read'], secret: 'kw_mine' }, '/secret'],
  ];
  it('rejects invalid keys', async () => {
    for (const [what, fields, path] of wrong) {
      const { status, body } = await api.call('POST', '/keys', { name: 'x', ...fields });
      assert.deepEqual([status, body.error.details.errors[0].path], [400, path], what);
    }
    assert.equal((await api.call('GET', '/keys/x')).status, 404);
    assert.equal((await api.call('DELETE', '/keys/019a9b1c-0f4e-7b2a-9c3d-8e5f6a7b8c9d')).status, 404);
  });
});
