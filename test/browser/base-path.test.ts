import assert from 'node:assert/strict';
import { makeLoginLink } from '../../cli/operations/login-link.js';
import { findApiKey } from '../../storage/auth/api-keys.js';
import { connectBrowser } from '../support/browser/chromium.js';
import { trimDocument } from '../support/browser/docs-page.js';
import { createAuthority } from '../support/servers/authority.js';
import { nginx, startNginx } from '../support/servers/nginx.js';
import { reservePort } from '../support/servers/ports.js';
import { startHttpsProxy, type TlsProxy } from '../support/network/tls-proxies.js';
import { startWebApi, type WebApi } from '../support/browser/web-service.js';

describe('the page below a path, behind a reverse proxy under TLS', () => {
  let service: WebApi;
  const proxies: TlsProxy[] = [];
  const addresses: string[] = [];

  before(async () => {
    const { certificate } = await createAuthority();
    const ports = [await reservePort(), await reservePort()];
    for (const [at, port] of ports.entries()) {
      const proxy = await startHttpsProxy({
        certificate,
        port,
        target: () => service.base,
        basePath: '/kw',
        // As some proxies do; others leave the path as it is.
        takesPathOff: at === 0,
      });
      proxies.push(proxy);
      addresses.push(`https://${proxy.address}/kw`);
    }
    service = await startWebApi({
      env: { KW_PUBLIC_URL: addresses[0]!, KW_TRUSTED_PROXIES: '127.0.0.1' },
    });
    if (nginx === undefined) return;
    const target = new URL(service.base).host;
    const proxy = await startNginx({ certificate, port: await reservePort(), target });
    proxies.push(proxy);
    addresses.push(`https://${proxy.address}/kw`);
  });
  after(async () => {
    await service.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });

  const kinds = ['a proxy that takes the path off', 'a proxy that leaves the path as it is'];
  if (nginx !== undefined) kinds.push('nginx as docs/operations.md has it');
  for (const [at, what] of kinds.entries()) {
    it(`logs in, shows live changes, reloads on any path, and has its docs: ${what}`, async () => {
      const base = addresses[at]!;
      const browser = await connectBrowser();
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        viewport: { width: 1300, height: 900 },
      });
      try {
        const page = await context.newPage();
        const failures: string[] = [];
        page.on('pageerror', (error) => failures.push(error.message));
        page.on('response', (answer) => {
          const isSession = answer.url().endsWith('/session') && answer.status() === 401;
          if (answer.status() >= 400 && !isSession) failures.push(`${answer.status()} ${answer.url()}`);
        });
        const answer = await page.goto(`${base}/plugins`);
        assert.equal(answer?.headers()['strict-transport-security'], 'max-age=31536000');
        await page.getByLabel('API key', { exact: true }).fill(service.adminKey);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Plugins', level: 1 }).waitFor();
        const [cookie] = await context.cookies();
        assert.deepEqual(
          [cookie?.name, cookie?.secure, cookie?.httpOnly, cookie?.sameSite],
          ['__Host-kw_session_kw', true, true, 'Strict'],
        );

        await page.getByRole('link', { name: 'Resources' }).first().click();
        await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
        const { id } = await service.client.upload('document', { text: `Live at ${at}` });
        await page.getByText(`Live at ${at}.txt`).first().waitFor();
        assert.deepEqual(failures, []);
        if (at > 0) {
          // The service removes the path itself if the proxy did not. What follows is the same for all proxies.
          const docs = await context.request.get(`${base}/docs`);
          const [, script] = /src="([^"]+-bundle\.js)"/.exec(await docs.text()) ?? [];
          assert.ok(script, await docs.text());
          for (const [url, type] of [
            [new URL(script, docs.url()).href, /javascript/],
            [`${base}/resources/${id}`, /html/],
          ] as const) {
            const answer = await context.request.get(url);
            assert.equal(answer.status(), 200, url);
            assert.match(answer.headers()['content-type'] ?? '', type, url);
          }
          return;
        }
        await page.goto(`${base}/resources/${id}`);
        await page.getByRole('heading', { name: `Live at ${at}.txt` }).waitFor();
        assert.equal(new URL(page.url()).pathname, `/kw/resources/${id}`);

        await trimDocument(page, 'listResources');
        await page.goto(`${base}/docs`);
        await page.locator('#operations-Resources-listResources').waitFor();
        await page
          .getByText(/Logged in/)
          .first()
          .waitFor();
        assert.deepEqual(failures, []);
      } finally {
        await context.close();
        await browser.close();
      }
    });
  }

  it('logs in with a login link', async () => {
    const { db, config } = service.deps;
    const admin = await findApiKey(db, service.adminKey);
    const browser = await connectBrowser();
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      await page.goto(await makeLoginLink(db, config, admin!));
      await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
      assert.equal(page.url(), `${addresses[0]}/resources`);
    } finally {
      await browser.close();
    }
  });

  it('has addresses, cookies and headers for that path', async () => {
    const login = await fetch(`${service.base}/kw/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(addresses[0]!).origin },
      body: JSON.stringify({ api_key: service.adminKey }),
    });
    assert.equal(login.status, 201);
    assert.equal(login.headers.get('location'), '/kw/api/v1/session');
    assert.match(login.headers.get('set-cookie') ?? '', /^__Host-kw_session_kw=.*; Path=\/; .*Secure$/);
    assert.equal(login.headers.get('strict-transport-security'), 'max-age=31536000');
    const bare = await fetch(`${service.base}/kw`);
    assert.match(await bare.text(), /src="\/kw\/assets\//);
    assert.equal((await fetch(`${service.base}/kwx/health/live`)).status, 404);
  });
});
