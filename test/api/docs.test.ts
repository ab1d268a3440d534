import assert from 'node:assert/strict';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

describe('the page /docs and what it loads', () => {
  let api: TestApi;
  let page: Answer;
  let assets: string[];

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.call('GET', `/${path}`, undefined, { bearer: null, headers });

  before(async () => {
    api = await startApi();
    page = await get('/docs');
    assets = [...page.text.matchAll(/(?:href|src)="(docs\/assets\/[^"]+)"/g)].map(([, path]) => `/${path!}`);
  });
  after(() => api.stop());

  it('are compressed as the client accepts, with a separate ETag for each encoding', async () => {
    const tags = new Set<string | null>();
    for (const coding of ['br', 'gzip', 'identity']) {
      const { headers, text } = await get('/docs', { 'accept-encoding': coding });
      assert.equal(headers.get('content-encoding') ?? 'identity', coding);
      assert.match(headers.get('vary') ?? '', /Accept-Encoding/);
      assert.equal(text, page.text);
      tags.add(headers.get('etag'));
      const again = await get('/docs', { 'accept-encoding': coding, 'if-none-match': headers.get('etag')! });
      assert.deepEqual([again.status, again.text], [304, '']);
    }
    assert.equal(tags.size, 3);
  });

  it('are cached for good under names that change with their content; the page is revalidated', async () => {
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    assert.deepEqual(assets.map((path) => path.split('/').at(-1)).sort(), [
      'start.js',
      'style.css',
      'swagger-ui-bundle.js',
      'swagger-ui.css',
    ]);
    for (const path of assets) {
      const { status, headers } = await get(path);
      assert.equal(status, 200, path);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/css';
      assert.equal(headers.get('content-type'), `${type}; charset=utf-8`);
    }
  });

  it('are not found under another version or an unknown name', async () => {
    const [start] = assets.filter((path) => path.endsWith('/start.js'));
    for (const path of [
      start!.replace(/[0-9a-f]{16}/, '0'.repeat(16)),
      start!.replace('start.js', 'other.js'),
      start!.replace('start.js', '..%2Findex.js'),
      start!.replace('start.js', 'constructor'),
    ]) {
      const { status, body } = await get(path);
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], path);
    }
  });

  it('are relative to the page, whose URL has no trailing slash', async () => {
    const answer = await fetch(`${api.base}/docs/`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, '../docs']);
    assert.doesNotMatch(page.text, /(?:href|src)="\//);
  });

  it('recognize a session by its cookie, and use nothing else from the request', async () => {
    assert.match(page.text, /<body data-session="false">/);
    for (const cookie of ['kw_session=x', 'a=b; kw_session=x']) {
      const { text, headers } = await get('/docs', { cookie });
      assert.match(text, /<body data-session="true">/);
      assert.match(headers.get('vary') ?? '', /Cookie/);
    }
    assert.equal((await get('/docs', { cookie: 'other_kw_session=x; __Host-kw_session=x' })).text, page.text);
  });
});
