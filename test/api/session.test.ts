import assert from 'node:assert/strict';
import { createApiKey, revokeApiKey } from '../../storage/api-keys.js';
import { createLoginLink } from '../../storage/login-links.js';
import { eventually } from '../support/eventually.js';
import { openEventStream } from '../support/event-stream.js';
import { startApi, type Answer, type TestApi } from '../support/api.js';
import { exchange } from '../support/raw-http.js';

const loginHeaders = { origin: 'http://elsewhere.example' };

describe('sessions', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi({ env: { TEMPORAL_UI_URL: 'http://127.0.0.1:8233/', TEMPORAL_NAMESPACE: 'books' } });
  });
  after(() => api.stop());

  const logIn = (
    body: unknown,
    headers: Readonly<Record<string, string>> = { origin: api.base },
  ): Promise<Answer> => api.call('POST', '/session', body, { bearer: null, headers });
  const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
  const by = (
    cookie: string,
    headers: Readonly<Record<string, string>> = {},
  ): { bearer: null; headers: Record<string, string> } => ({
    bearer: null,
    headers: { cookie, ...headers },
  });
  const show = (cookie: string): Promise<Answer> => api.call('GET', '/session', undefined, by(cookie));
  const make = async (...scopes: string[]): Promise<{ id: string; key: string }> =>
    await createApiKey(api.deps.db, { name: 'Ada', scopes });
  /** A session of a new key, by its cookie. */
  const begin = async (scope = 'admin'): Promise<{ keyId: string; cookie: string }> => {
    const { id, key } = await make(scope);
    return { keyId: id, cookie: cookieOf(await logIn({ api_key: key })) };
  };
  const rowsOf = async (api_key_id: string): Promise<Record<string, Date & Buffer>[]> =>
    await api.deps.db('sessions').where({ api_key_id });
  const hoursFromNow = (date: Date): number => (date.getTime() - Date.now()) / 3_600_000;
  const isAbout = (hours: number, expected: number): void =>
    assert.ok(Math.abs(hours - expected) < 0.1, `${hours} h`);

  it('begin with a key, which the cookie stands for from then on', async () => {
    const { id, key } = await make('read', 'plugin:ocr');
    const answer = await logIn({ api_key: key });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('location'), '/api/v1/session');
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^kw_session=kws_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    const { expires_at, ...rest } = answer.body;
    isAbout(hoursFromNow(new Date(expires_at)), 12);
    assert.deepEqual(rest, {
      api_key: { id, name: 'Ada', scopes: ['read', 'plugin:ocr'] },
      public_url: api.base,
      temporal_ui: 'http://127.0.0.1:8233/namespaces/books',
    });
    const shown = await show(cookieOf(answer));
    assert.deepEqual([shown.status, shown.body], [200, answer.body]);
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

  it('are told of by bearer token too, which wins over a cookie', async () => {
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

  it('are refused without a good key, to keys for plugins alone, and to pages elsewhere', async () => {
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

  it('let a browser change things only from a page of ours', async () => {
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

  it('need Secure and a name of their own over https', async () => {
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

  it('move on while they are used, at most once a minute, and never past 7 days', async () => {
    const { keyId, cookie } = await begin();
    const { db } = api.deps;
    const set = (expires: string, ends: string): Promise<unknown> =>
      db('sessions')
        .where({ api_key_id: keyId })
        .update({
          expires_at: db.raw(`now() + interval '${expires}'`),
          ends_at: db.raw(`now() + interval '${ends}'`),
        });
    const hours = async (): Promise<number> => {
      const { status, body } = await show(cookie);
      assert.equal(status, 200);
      const [row] = await rowsOf(keyId);
      assert.equal(row?.['expires_at']?.toISOString(), body.expires_at);
      return hoursFromNow(new Date(body.expires_at));
    };
    await set('11 hours 59 minutes 30 seconds', '7 days');
    const [before] = await rowsOf(keyId);
    await hours();
    assert.deepEqual(await rowsOf(keyId), [before], 'it was used half a minute ago');
    await set('5 minutes', '7 days');
    isAbout(await hours(), 12);
    await set('1 hour', '2 hours');
    isAbout(await hours(), 2);
    await set('-1 second', '7 days');
    assert.equal((await show(cookie)).status, 401);
  });

  it('end with their key', async () => {
    const { keyId, cookie } = await begin();
    await api.deps
      .db('api_keys')
      .where({ id: keyId })
      .update({ expires_at: new Date(Date.now() + 3_600_000) });
    isAbout(hoursFromNow(new Date((await show(cookie)).body.expires_at)), 1);
    await api.deps
      .db('api_keys')
      .where({ id: keyId })
      .update({ expires_at: new Date(Date.now() - 1) });
    assert.equal((await show(cookie)).status, 401);
    const other = await begin();
    await revokeApiKey(api.deps.db, other.keyId);
    assert.equal((await show(other.cookie)).status, 401);
  });

  it('are ended by logging out, and by logging in anew', async () => {
    const { keyId, cookie } = await begin();
    const out = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      api.call('DELETE', '/session', undefined, { bearer: null, headers });
    assert.equal((await out({ cookie, ...loginHeaders })).status, 403);
    assert.equal((await show(cookie)).status, 200);
    const ours: Record<string, string> = { cookie, origin: api.base };
    for (const headers of [ours, ours, {}]) {
      const { status, headers: answered } = await out(headers);
      assert.equal(status, 204);
      assert.match(answered.get('set-cookie') ?? '', /^kw_session=; Path=\/; Max-Age=0;/);
      assert.equal((await show(cookie)).status, 401);
    }
    assert.deepEqual(await rowsOf(keyId), []);

    const first = await begin();
    const { key } = await make('read');
    const second = cookieOf(await logIn({ api_key: key }, { origin: api.base, cookie: first.cookie }));
    assert.deepEqual([(await show(first.cookie)).status, (await show(second)).status], [401, 200]);
  });

  it('begin with a log-in link, once and in time', async () => {
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

  it('and links are swept once they are over', async () => {
    const { db, sweeps } = api.deps;
    const [gone, kept] = [await begin(), await begin()];
    await createLoginLink(db, gone.keyId);
    await createLoginLink(db, kept.keyId);
    const past = { expires_at: new Date(Date.now() - 1) };
    for (const table of ['sessions', 'login_links']) {
      await db(table).where({ api_key_id: gone.keyId }).update(past);
    }
    for (const sweep of sweeps) if (['sessions', 'log-in links'].includes(sweep.name)) await sweep.run();
    for (const table of ['sessions', 'login_links']) {
      assert.equal((await db(table).where({ api_key_id: gone.keyId })).length, 0, table);
      assert.equal((await db(table).where({ api_key_id: kept.keyId })).length, 1, table);
    }
  });

  it('count against the limit of their key, and failed ones against that of their address', async () => {
    const limited = await startApi({ env: { KW_RATE_LIMIT: '5000' } });
    try {
      const { key } = await createApiKey(limited.deps.db, { name: 'few', scopes: ['read'], rate_limit: 3 });
      const post = (body: unknown): Promise<Answer> =>
        limited.call('POST', '/session', body, { bearer: null });
      const cookie = cookieOf(await post({ api_key: key }));
      const read = (): Promise<Answer> => limited.call('GET', '/session', undefined, by(cookie));
      assert.equal((await read()).headers.get('ratelimit-remaining'), '1');
      assert.deepEqual([(await read()).status, (await read()).status], [200, 429]);
      assert.equal((await post({ api_key: key })).status, 429);

      const other = cookieOf(await post({ api_key: await limited.key('read') }));
      let answer = await post({ login_token: 'kwl_guess' });
      for (let guesses = 1; answer.status === 401 && guesses < 1000; guesses += 1) {
        answer = await post(guesses % 2 === 0 ? { login_token: 'kwl_guess' } : { api_key: 'kw_guess' });
      }
      assert.deepEqual([answer.status, answer.body.error.code], [429, 'RATE_LIMITED']);
      assert.equal(
        (await limited.call('GET', '/session', undefined, by('kw_session=kws_guess'))).status,
        429,
      );
      const known = await limited.call('GET', '/session', undefined, by(other));
      assert.equal(known.status, 200, 'a session that began here is known');
    } finally {
      await limited.stop();
    }
  });

  it('take the streams of changes with them that were opened by them', async function () {
    this.timeout(60_000);
    const { cookie } = await begin('read');
    const { cookie: stays } = await begin('read');
    const [ends, lives] = await Promise.all(
      [cookie, stays].map((each) => openEventStream(`${api.base}/api/v1/events`, { cookie: each })),
    );
    try {
      await eventually(() => [ends, lives].every((stream) => stream!.events[0]?.type === 'ready'));
      assert.equal(
        (await api.call('DELETE', '/session', undefined, by(cookie, { origin: api.base }))).status,
        204,
      );
      await eventually(() => ends!.ended() === 'cleanly', { timeoutMs: 15_000 });
      assert.equal(lives!.ended(), null);
    } finally {
      for (const stream of [ends, lives]) stream!.cut();
    }
  });
});
