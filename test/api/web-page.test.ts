import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { startApi, type TestApi } from '../support/service/api.js';
import { findChromium } from '../support/browser/chromium.js';
import { exchange } from '../support/network/raw-http.js';
import { temporaryFolder } from '../support/temporary.js';

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const script = `
  const style = document.createElement('style');
  style.nonce = document.querySelector('meta[name=csp-nonce]').content;
  style.textContent = 'h1 { color: rgb(1, 2, 3) }';
  document.head.append(style);
  const unknown = document.createElement('style');
  unknown.textContent = 'h1 { background-color: rgb(4, 5, 6) }';
  document.head.append(unknown);
  try { document.querySelector('h1').innerHTML = '<b>markup</b>'; } catch (error) { document.title = error.name; }
`;
const index = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="csp-nonce" content="__CSP_NONCE__">
<title>Planted</title><link rel="icon" href="/favicon.svg">
<style nonce="__CSP_NONCE__">p { color: rgb(7, 8, 9) }</style><script type="module" src="/assets/main-Ab12.js"></script></head>
<body><h1>Planted</h1><p>page</p><script>document.body.id = 'inline'</script></body></html>`;

/** A small build of a page. */
function plantPage(): string {
  const folder = join(temporaryFolder(), 'web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, '.vite'));
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
  write('index.html', index);
  write('assets/main-Ab12.js', script);
  write('assets/main-Ab12.js.br', brotliCompressSync(script));
  write('assets/main-Ab12.js.gz', gzipSync(script));
  write('assets/main-Ab12.css', 'body { margin: 0 }');
  write('assets/data-Ab12.unknown', 'bytes');
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('manifest.webmanifest', '{}');
  write('.vite/manifest.json', '{"secret": true}');
  writeFileSync(join(folder, '..', 'outside.txt'), 'outside');
  return folder;
}

describe('the web page', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi({ webFolder: plantPage() });
  });
  after(() => api.stop());

  const get = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<Response> => fetch(api.base + path, { method, headers });
  const header = (response: Response, name: string): string => response.headers.get(name) ?? '';
  const policyOf = (response: Response): string => header(response, 'content-security-policy');
  const nonceOf = (text: string): string =>
    /<meta name="csp-nonce" content="([\w-]+)">/.exec(text)?.[1] ?? '';
  const errorOf = async (response: Response): Promise<unknown[]> => [
    response.status,
    ((await response.json()) as { error: { code: string } }).error.code,
  ];

  it('is returned for each of its paths, with a policy and a nonce of that response only', async () => {
    const nonces = new Set<string>();
    const paths = [
      '/',
      '/login',
      '/overview',
      '/resources',
      '/resources/some-id',
      '/pipelines',
      '/pipelines/x',
      '/plugins',
    ];
    for (const path of [...paths, '/plugins/extract-text', '/login?next=%2F']) {
      const response = await get(path);
      const text = await response.text();
      assert.equal(response.status, 200, path);
      assert.equal(header(response, 'content-type'), 'text/html; charset=utf-8');
      assert.equal(header(response, 'cache-control'), 'private, no-cache');
      const nonce = nonceOf(text);
      assert.equal(text, index.replaceAll('__CSP_NONCE__', nonce));
      assert.equal(
        policyOf(response),
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; frame-src blob:; font-src 'self'; ` +
          "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      assert.ok(nonce.length >= 22);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, paths.length + 2);
    const head = await get('/login', {}, 'HEAD');
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  it('is cached by a browser, with the policy that it came with', async () => {
    const first = await get('/');
    const etag = header(first, 'etag');
    const again = await get('/resources', { 'if-none-match': etag });
    assert.deepEqual([again.status, await again.text(), header(again, 'etag')], [304, '', etag]);
    assert.equal(
      again.headers.get('content-security-policy'),
      null,
      'it would replace the one with the nonce',
    );
    assert.equal((await get('/', { 'if-none-match': '"another"' })).status, 200);
  });

  it('has files below /assets/ that are cached for good and compressed as the browser allows', async () => {
    const path = '/assets/main-Ab12.js';
    for (const [accept, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
      ['zstd', null],
    ] as const) {
      const response = await get(path, { 'accept-encoding': accept });
      assert.equal(response.headers.get('content-encoding'), coding, accept);
      assert.equal(await response.text(), script);
      assert.equal(header(response, 'content-type'), 'text/javascript; charset=utf-8');
      assert.equal(header(response, 'cache-control'), 'public, max-age=31536000, immutable');
      assert.match(header(response, 'vary'), /accept-encoding/i);
      assert.equal(header(response, 'x-content-type-options'), 'nosniff');
      const same = await get(path, { 'accept-encoding': accept, 'if-none-match': header(response, 'etag') });
      assert.equal(same.status, 304);
    }
    const types = {
      'main-Ab12.css': 'text/css; charset=utf-8',
      'data-Ab12.unknown': 'application/octet-stream',
    };
    for (const [name, type] of Object.entries(types)) {
      const response = await get(`/assets/${name}`);
      assert.equal(header(response, 'content-type'), type);
      assert.equal(response.headers.get('vary'), null, 'there is one form of it');
    }
  });

  it('has top-level files, which are revalidated', async () => {
    const types = { '/favicon.svg': 'image/svg+xml', '/manifest.webmanifest': 'application/manifest+json' };
    for (const [path, type] of Object.entries(types)) {
      const response = await get(path);
      assert.deepEqual([response.status, header(response, 'cache-control')], [200, 'no-cache']);
      assert.ok(header(response, 'content-type').startsWith(type), path);
      assert.equal((await get(path, { 'if-none-match': header(response, 'etag') })).status, 304);
    }
  });

  it('has no other files, however they are requested', async () => {
    for (const path of [
      '/assets/none.js',
      '/assets/main-Ab12.js.br',
      '/assets/main-Ab12.js/',
      '/assets/',
      '/assets',
      '/assets/../outside.txt',
      '/assets/..%2f..%2foutside.txt',
      '/assets/%2e%2e/%2e%2e/outside.txt',
      '/../outside.txt',
      '/assets/..\\..\\outside.txt',
      '//outside.txt',
      '/.vite/manifest.json',
      '/assets/%00',
      '/assets/%',
    ]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
      const [answer] = await exchange(api.base, request);
      assert.equal(answer?.status, 404, path);
      assert.equal((JSON.parse(answer.body) as { error: { code: string } }).error.code, 'NOT_FOUND', path);
    }
    assert.deepEqual(await errorOf(await get('/assets/none.js', { accept: browserAccept })), [
      404,
      'NOT_FOUND',
    ]);
  });

  it('returns a page for missing paths to browsers; programs get the envelope', async () => {
    for (const path of ['/nothing', '/resources/a/b', '/resources/', '/docs/none']) {
      const shown = await get(path, { accept: browserAccept });
      assert.equal(shown.status, 404, path);
      const text = await shown.text();
      assert.ok(policyOf(shown).includes(`'nonce-${nonceOf(text)}'`));
      assert.deepEqual([header(shown, 'etag'), header(shown, 'cache-control')], ['', 'no-store']);
      for (const accept of ['*/*', 'application/json'])
        assert.deepEqual(await errorOf(await get(path, { accept })), [404, 'NOT_FOUND'], path);
    }
    for (const path of ['/api/v1/nothing', '/api/nothing', '/api'])
      assert.deepEqual(await errorOf(await get(path, { accept: browserAccept })), [404, 'NOT_FOUND'], path);
    assert.deepEqual(await errorOf(await get('/nothing', { accept: browserAccept }, 'POST')), [
      404,
      'NOT_FOUND',
    ]);
  });

  it('is read-only', async () => {
    for (const path of ['/', '/login', '/assets/main-Ab12.js']) {
      const refused = await get(path, {}, 'POST');
      assert.deepEqual(
        [header(refused, 'allow'), ...(await errorOf(refused))],
        ['HEAD, GET, OPTIONS', 405, 'METHOD_NOT_ALLOWED'],
      );
      assert.equal((await get(path, {}, 'OPTIONS')).status, 204);
    }
  });

  it('leaves the API, the docs and the health checks unchanged', async () => {
    for (const path of ['/docs', '/health/live', '/api/v1/openapi.json'])
      assert.equal((await get(path, { accept: browserAccept })).status, 200, path);
    assert.deepEqual(await errorOf(await get('/api/v1/resources')), [401, 'UNAUTHENTICATED']);
  });

  it('is replaced by a plain message if it was not built', async () => {
    for (const webFolder of [null, temporaryFolder()]) {
      const alone = await startApi({ webFolder });
      try {
        const root = await fetch(`${alone.base}/`);
        assert.deepEqual([root.status, header(root, 'content-type')], [200, 'text/plain; charset=utf-8']);
        assert.match(await root.text(), /not part of this installation.*\/docs/s);
        const view = await fetch(`${alone.base}/login`, { headers: { accept: browserAccept } });
        assert.deepEqual(await errorOf(view), [404, 'NOT_FOUND']);
      } finally {
        await alone.stop();
      }
    }
  });

  describe('in a browser', () => {
    let browser: Browser;

    before(async () => {
      const executablePath = findChromium();
      assert.ok(executablePath, 'Chromium is needed');
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    after(() => browser.close());

    it('runs only its own script and styles, with the nonce, even from the cache', async () => {
      const page = await browser.newPage();
      const colors = (): Promise<string[]> =>
        page.evaluate(`[
          getComputedStyle(document.querySelector('h1')).color,
          getComputedStyle(document.querySelector('h1')).backgroundColor,
          getComputedStyle(document.querySelector('p')).color,
        ]`);
      // Chromium asks anew with If-None-Match when the address is typed again.
      for (const visit of [1, 2]) {
        await page.goto(`${api.base}/resources`);
        assert.deepEqual(
          await colors(),
          ['rgb(1, 2, 3)', 'rgba(0, 0, 0, 0)', 'rgb(7, 8, 9)'],
          `visit ${visit}`,
        );
        assert.equal(await page.title(), 'TypeError', 'text does not become markup');
        assert.equal(await page.getAttribute('body', 'id'), null, 'an inline script ran');
        assert.equal(await page.textContent('h1'), 'Planted');
      }
      await page.close();
    });

    it("hides the session cookie from scripts, and sends it with the page's requests", async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${api.base}/login`);
      const ask = (method: string, body?: unknown): Promise<[number, string]> =>
        page.evaluate(
          async ([verb, sent]) => {
            const response = await fetch('/api/v1/session', {
              method: verb,
              ...(sent !== undefined && { headers: { 'content-type': 'application/json' }, body: sent }),
            });
            const { document } = globalThis as unknown as { document: { cookie: string } };
            return [response.status, document.cookie] as [number, string];
          },
          [method, body === undefined ? undefined : JSON.stringify(body)] as const,
        );
      assert.deepEqual(await ask('GET'), [401, '']);
      assert.deepEqual(await ask('POST', { api_key: await api.key('admin') }), [201, '']);
      const [cookie] = await context.cookies();
      assert.deepEqual(
        [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.path],
        ['kw_session', true, 'Strict', '/'],
      );
      assert.deepEqual(await ask('GET'), [200, '']);
      assert.deepEqual(await ask('DELETE'), [204, '']);
      assert.deepEqual([await context.cookies(), await ask('GET')], [[], [401, '']]);
      await context.close();
    });
  });
});
