import assert from 'node:assert/strict';
import { createApiKey, revokeApiKey } from '../../storage/auth/api-keys.js';
import { createLoginLink } from '../../storage/auth/login-links.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { exchange } from '../support/network/raw-http.js';
import {
  assertHoursFromNow,
  by,
  cookieOf,
  createSessions,
  loginHeaders,
  type Sessions,
} from '../support/service/sessions.js';

describe('sessions', () => {
  let api: TestApi;
  let logIn: Sessions['logIn'];
  let show: Sessions['show'];
  let make: Sessions['make'];
  let begin: Sessions['begin'];
  let rowsOf: Sessions['rowsOf'];
  before(async () => {
    api = await startApi({ env: { TEMPORAL_UI_URL: 'http://127.0.0.1:8233/', TEMPORAL_NAMESPACE: 'books' } });
    ({ logIn, show, make, begin, rowsOf } = createSessions(api));
  });
  after(() => api.stop());

  it('start with a key, which the cookie replaces from then on', async () => {
    const { id, key } = await make('read', 'plugin:ocr');
    const answer = await logIn({ api_key: key });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('location'), '/api/v1/session');
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^kw_session=kws_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    const { expires_at, last_event_id, ...rest } = answer.body;
    assertHoursFromNow(new Date(expires_at), 12);
    assert.deepEqual(rest, {
      api_key: { id, name: 'Ada', scopes: ['read', 'plugin:ocr'] },
      public_url: api.base,
      temporal_ui: 'http://127.0.0.1:8233/namespaces/books',
    });
    const shown = await show(cookieOf(answer));
    assert.deepEqual([shown.status, { ...shown.body, last_event_id }], [200, answer.body]);
    assert.equal((await api.call('GET', '/resources', undefined, by(cookieOf(answer)))).status, 200);
    const refused = await api.call('GET', '/internal/plugins/none/config', undefined, by(cookieOf(answer)));
    assert.equal(refused.status, 403, 'it has no more rights than its key');

    const [row] = await rowsOf(id);
    const token = cookieOf(answer).split('=')[1] ?? '';
    assert.ok(
      !JSON.stringify(row).includes(token) && !row?.['hash']?.includes(token),
      'only its hash is kept',
    );
  });

  it('can be read with a bearer token too, which takes precedence over a cookie', async () => {
    const { cookie } = await begin('read');
    const { id, key } = await make('read');
    const { status, body } = await api.call('GET', '/session', undefined, {
      bearer: key,
      headers: { cookie },
    });
    assert.deepEqual([status, body.api_key.id, body.expires_at], [200, id, null]);
    const { status: refused, headers } = await api.call('GET', '/session', undefined, {
      bearer: 'kw_wrong',
      headers: { cookie },
    });
    assert.deepEqual([refused, headers.get('set-cookie')], [401, null]);
  });

  it('are refused without a valid key, to keys for plugins only, and to pages of other sites', async () => {
    const { id, key } = await make('admin');
    const past = { name: 'old', scopes: ['admin'], expires_at: new Date(Date.now() - 1000) };
    const expired = await createApiKey(api.deps.db, past);
    for (const body of [
      { api_key: 'kw_wrong' },
      { api_key: expired.key },
      { login_token: 'kwl_wrong' },
      { login_token: key },
    ]) {
      const answer = await logIn(body);
      assert.deepEqual([answer.status, answer.body.error.code], [401, 'UNAUTHENTICATED']);
      assert.equal(answer.headers.get('set-cookie'), null);
      assert.ok(!answer.text.includes(Object.values(body)[0] ?? ''));
    }
    for (const body of [
      {},
      { api_key: key, login_token: 'kwl_x' },
      { api_key: 1 },
      { key },
      [],
      { api_key: '' },
    ]) {
      assert.equal((await logIn(body)).status, 400, JSON.stringify(body));
    }
    for (const scopes of [['plugin:ocr'], []]) {
      const answer = await logIn({ api_key: (await make(...scopes)).key });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'FORBIDDEN']);
    }
    for (const headers of [
      loginHeaders,
      { origin: 'null' },
      { origin: api.base, 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await logIn({ api_key: key }, headers);
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'FORBIDDEN'], JSON.stringify(headers));
    }
    assert.deepEqual(await rowsOf(id), []);
    assert.equal((await logIn({ api_key: key }, {})).status, 201, 'a program has no Origin');
    assert.equal(
      (await logIn({ api_key: key }, { origin: api.base, 'sec-fetch-site': 'same-origin' })).status,
      201,
    );
  });

  it('let a browser make changes only from a page of ours', async () => {
    const { cookie } = await begin();
    const { port } = new URL(api.base);
    const pipeline = JSON.stringify({ name: 'P', trigger_type: 't', steps: [] });
    /** The status of a change (400: it was let in) with these headers, as they are. */
    const change = async (host: string, ...headers: string[]): Promise<number> => {
      const lines = [`Host: ${host}`, `Cookie: ${cookie}`, 'Content-Type: application/json', ...headers];
      const head = `POST /api/v1/pipelines HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n`;
      const [answer] = await exchange(
        api.base,
        `${head}Content-Length: ${pipeline.length}\r\n\r\n${pipeline}`,
      );
      return answer?.status ?? 0;
    };
    const own = `127.0.0.1:${port}`;
    assert.equal(await change(own, `Origin: http://${own}`), 400);
    assert.equal(
      await change('proxied.internal', `Origin: ${api.base}`),
      400,
      'a proxy may name another host',
    );
    for (const name of ['localhost', '[::1]']) {
      assert.equal(await change(`${name}:${port}`, `Origin: http://${name}:${port}`), 400, name);
    }
    assert.equal(await change(own), 403, 'no Origin');
    assert.equal(await change(own, 'Origin: null'), 403);
    assert.equal(await change(own, `Origin: https://${own}`), 403, 'another scheme');
    assert.equal(await change(own, 'Origin: http://127.0.0.1:1'), 403, 'another port of the same host');
    assert.equal(await change(own, `Origin: http://${own}.evil.example`), 403);
    assert.equal(
      await change(own, `Origin: http://localhost:${port}`),
      403,
      'localhost is not what was asked',
    );
    assert.equal(await change('localhost:1', 'Origin: http://localhost:1'), 403, 'not our port');
    const rebound = `evil.example:${port}`;
    assert.equal(await change(rebound, `Origin: http://${rebound}`), 403, 'a name that points at us');
    assert.equal(await change(own, `Origin: http://${own}`, 'Sec-Fetch-Site: same-site'), 403);
  });

  it('need Secure and a separate name over https', async () => {
    const secure = await startApi({ env: { KW_PUBLIC_URL: 'https://kw.example' } });
    try {
      const key = await secure.key('admin');
      const headers = { origin: 'https://kw.example' };
      const answer = await secure.call('POST', '/session', { api_key: key }, { bearer: null, headers });
      const cookie = answer.headers.get('set-cookie') ?? '';
      assert.match(
        cookie,
        /^__Host-kw_session=\S+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
      );
      const [pair = ''] = cookie.split(';');
      const status = async (sent: string): Promise<number> =>
        (await secure.call('GET', '/session', undefined, by(sent))).status;
      assert.deepEqual([await status(pair), await status(pair.replace('__Host-', ''))], [200, 401]);
    } finally {
      await secure.stop();
    }
  });

  it('start with a login link, once and in time', async () => {
    const { db } = api.deps;
    const { id } = await make('write');
    const token = await createLoginLink(db, id);
    const kept = JSON.stringify(await db('login_links').where({ api_key_id: id }));
    assert.ok(!kept.includes(token), 'only its hash is kept');
    assert.equal((await logIn({ login_token: token }, loginHeaders)).status, 403);
    // All of them at once: only one of them gets in.
    const answers = await Promise.all([1, 2, 3, 4].map(() => logIn({ login_token: token })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401, 401]);
    const winner = answers.find(({ status }) => status === 201);
    assert.ok(winner);
    assert.equal(winner.body.api_key.id, id);
    assert.equal((await show(cookieOf(winner))).status, 200);

    // A log-in that fails does not use the link up.
    const again = await createLoginLink(db, id);
    await db.raw('alter table sessions add constraint none check (false) not valid');
    const failed = await logIn({ login_token: again });
    await db.raw('alter table sessions drop constraint none');
    assert.deepEqual([failed.status, (await logIn({ login_token: again })).status], [500, 201]);

    const late = await createLoginLink(db, id);
    await db('login_links')
      .where({ api_key_id: id })
      .update({ expires_at: new Date(Date.now() - 1) });
    assert.equal((await logIn({ login_token: late })).status, 401);
    const revoked = await make('admin');
    const useless = await createLoginLink(db, revoked.id);
    await revokeApiKey(db, revoked.id);
    assert.equal((await logIn({ login_token: useless })).status, 401);
  });
});
