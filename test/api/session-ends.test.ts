import assert from 'node:assert/strict';
import { createApiKey, revokeApiKey } from '../../storage/auth/api-keys.js';
import { createLoginLink } from '../../storage/auth/login-links.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';
import { openEventStream } from '../support/service/event-stream.js';
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
    api = await startApi();
    ({ logIn, show, make, begin, rowsOf } = createSessions(api));
  });
  after(() => api.stop());

  it('are extended while in use, at most once a minute, and never past 7 days', async () => {
    const { keyId, cookie } = await begin();
    const { db } = api.deps;
    const set = (expires: string, ends: string): Promise<unknown> =>
      db('sessions')
        .where({ api_key_id: keyId })
        .update({
          expires_at: db.raw(`now() + interval '${expires}'`),
          ends_at: db.raw(`now() + interval '${ends}'`),
        });
    const expiry = async (): Promise<Date> => {
      const { status, body } = await show(cookie);
      assert.equal(status, 200);
      const [row] = await rowsOf(keyId);
      assert.equal(row?.['expires_at']?.toISOString(), body.expires_at);
      return new Date(body.expires_at);
    };
    await set('11 hours 59 minutes 30 seconds', '7 days');
    const [before] = await rowsOf(keyId);
    await expiry();
    assert.deepEqual(await rowsOf(keyId), [before], 'it was used half a minute ago');
    await set('5 minutes', '7 days');
    assertHoursFromNow(await expiry(), 12);
    await set('1 hour', '2 hours');
    assertHoursFromNow(await expiry(), 2);
    await set('-1 second', '7 days');
    assert.equal((await show(cookie)).status, 401);
  });

  it('end with their key', async () => {
    const { keyId, cookie } = await begin();
    await api.deps
      .db('api_keys')
      .where({ id: keyId })
      .update({ expires_at: new Date(Date.now() + 3_600_000) });
    assertHoursFromNow(new Date((await show(cookie)).body.expires_at), 1);
    await api.deps
      .db('api_keys')
      .where({ id: keyId })
      .update({ expires_at: new Date(Date.now() - 1) });
    assert.equal((await show(cookie)).status, 401);
    const other = await begin();
    await revokeApiKey(api.deps.db, other.keyId);
    assert.equal((await show(other.cookie)).status, 401);
  });

  it('end by logging out, and by logging in again', async () => {
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

  it('and links are deleted after they end', async () => {
    const { db, sweeps } = api.deps;
    const [gone, kept] = [await begin(), await begin()];
    await createLoginLink(db, gone.keyId);
    await createLoginLink(db, kept.keyId);
    const past = { expires_at: new Date(Date.now() - 1) };
    for (const table of ['sessions', 'login_links']) {
      await db(table).where({ api_key_id: gone.keyId }).update(past);
    }
    await sweeps.find(({ name }) => name === 'expired rows')?.run(new AbortController().signal);
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

  it('close the event streams that they opened when they end', async function () {
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
      await eventually(() => ends!.ended() === 'cleanly');
      assert.equal(lives!.ended(), null);
    } finally {
      for (const stream of [ends, lives]) stream!.cut();
    }
  });
});
