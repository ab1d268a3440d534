import assert from 'node:assert/strict';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { pino } from 'pino';
import { eventually } from '../support/eventually.js';
import { askOnce, startApi, type Answer, type TestApi } from '../support/service/api.js';

describe('rate limits', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi({ env: { KW_RATE_LIMIT: '3' } });
  });
  after(() => api.stop());

  const keyWith = async (rate_limit: number | null): Promise<string> =>
    (await createApiKey(api.deps.db, { name: 'tests', scopes: ['read'], rate_limit })).key;
  const list = (bearer: string | null): Promise<Answer> => api.call('GET', '/plugins', undefined, { bearer });
  const header = (answer: Answer, name: string): number => Number(answer.headers.get(name) ?? NaN);

  it('are counted per key and sent in headers; a client above its limit is told when to retry', async () => {
    const key = await keyWith(null);
    for (const remaining of [2, 1, 0]) {
      const answer = await list(key);
      assert.equal(answer.status, 200);
      assert.equal(header(answer, 'ratelimit-limit'), 3);
      assert.equal(header(answer, 'ratelimit-remaining'), remaining);
      const reset = header(answer, 'ratelimit-reset');
      assert.ok(reset > 50 && reset <= 60, `${reset}`);
    }
    const refused = await list(key);
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED']);
    assert.equal(header(refused, 'ratelimit-remaining'), 0);
    const wait = header(refused, 'retry-after');
    assert.ok(wait > 50 && wait <= 60, `${wait}`);
    assert.deepEqual(refused.body.error.details, { limit: 3, window_seconds: 60, retry_after_seconds: wait });
    assert.equal((await list(await keyWith(null))).status, 200, 'another key has its own');
  });

  it('count requests that a key is not allowed to make', async () => {
    const key = await keyWith(1);
    assert.equal((await api.call('POST', '/plugins', {}, { bearer: key })).status, 403);
    assert.equal((await list(key)).status, 429);
  });

  it('and refusals are logged with the key', async () => {
    const { id, key } = await createApiKey(api.deps.db, { name: 'tests', scopes: ['read'] });
    const lines: { readonly status: number; readonly key?: string }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const headers = { authorization: `Bearer ${key}` };
    await askOnce({ ...api.deps, log }, '/api/v1/plugins', { method: 'POST', headers });
    await eventually(() => lines.length > 0);
    assert.deepEqual(
      lines.map((line) => [line.status, line.key]),
      [[403, id]],
    );
  });

  it('can be set per key, or turned off', async () => {
    const one = await keyWith(1);
    assert.deepEqual([(await list(one)).status, (await list(one)).status], [200, 429]);
    const free = await keyWith(0);
    for (let at = 0; at < 5; at += 1) {
      const answer = await list(free);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('ratelimit-limit'), null);
    }
  });

  it('do not apply to health checks, nor to workers with their tokens', async () => {
    for (let at = 0; at < 5; at += 1) {
      assert.equal((await api.call('GET', '//health/live', undefined, { bearer: null })).status, 200);
      const path = '/internal/artifacts/018f0000-0000-7000-8000-000000000000';
      assert.equal((await api.call('POST', path, {}, { bearer: 'none' })).status, 401);
    }
  });

  it('limit the guesses of an address, and never a valid key', async () => {
    const fresh = await keyWith(0);
    let guesses = 0;
    let answer: Answer;
    do answer = await list(`kw_guess${(guesses += 1)}`);
    while (answer.status === 401 && guesses < 1000);
    assert.deepEqual([answer.status, guesses], [429, 601]);
    assert.ok(header(answer, 'retry-after') > 0);
    assert.equal((await list(null)).status, 429);
    assert.equal((await list(fresh)).status, 200);
  });
});
