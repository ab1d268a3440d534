import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { makeLoginLink } from '../../cli/operations/login-link.js';
import { createApiKey, findApiKey } from '../../storage/auth/api-keys.js';
import { eventually } from '../support/eventually.js';
import { openEventStream } from '../support/service/event-stream.js';
import type { RestClient } from '../support/service/rest-client.js';
import { drawn, prepareAxe, violations } from '../support/browser/axe.js';
import { openOperation, trimDocument } from '../support/browser/docs-page.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebApi, type WebApi } from '../support/browser/web-service.js';
import type { WebPage, WebPageOptions } from '../support/browser/web-page.js';

describe('a user in a browser', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebApi;
  let client: RestClient;

  before(async function () {
    service = await startWebApi();
    ({ client } = service);
  });
  after(() => service.stop());

  const open = (path: string, options: WebPageOptions = {}): Promise<WebPage> =>
    browser.open(service, path, options);
  const loggedOut = { apiKey: null } as const;
  const proxyRefusal = { status: 401, contentType: 'text/html', body: '<h1>Log in to the proxy</h1>' };
  const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;
  const cookies = async ({ context }: WebPage): Promise<string[]> =>
    (await context.cookies()).map(({ name }) => name);
  const typeKey = async (page: Page, key: string): Promise<void> => {
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
  };
  const logOut = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Account: admin' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  };

  it('is asked to log in with a key, told when it is wrong, and sent back to the requested page', async () => {
    const web = await open('/pipelines?from=elsewhere', loggedOut);
    const { page } = web;
    await page.getByLabel('API key', { exact: true }).waitFor();
    assert.match(pathOf(page), /^\/login\?from=/);
    await typeKey(page, `${service.adminKey.slice(0, -1)}_`);
    const refusal = page.getByRole('alert');
    await refusal.getByText('Log-in failed').waitFor();
    assert.match(await refusal.innerText(), /unknown, expired or revoked. Check that you copied all of it/);
    assert.deepEqual(await cookies(web), []);

    const session = '**/api/v1/session';
    await page.route(session, (route) => route.fulfill(proxyRefusal));
    await typeKey(page, service.adminKey);
    await refusal.getByText('The response 401 does not come from this service.').waitFor();
    await page.unroute(session);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor();
    assert.equal(pathOf(page), '/pipelines?from=elsewhere');
    await page.getByRole('button', { name: 'Account: admin' }).waitFor();
    const [cookie] = await web.context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict']);
    const kept = await page.evaluate<string>('JSON.stringify(localStorage) + document.cookie');
    assert.ok(!kept.includes(service.adminKey));
    web.assertQuiet(401);
  });

  it('is logged in by a login link, once, which leaves no trace in the URL', async () => {
    const { db, config } = service.deps;
    const admin = await findApiKey(db, service.adminKey);
    const path = (await makeLoginLink(db, config, admin!)).slice(service.api.length);
    const web = await open(path, loggedOut);
    const { page, context, requests } = web;
    await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
    assert.equal(page.url(), `${service.api}/resources`);
    await page.goBack().catch(() => null);
    assert.ok(!page.url().includes('token'));
    assert.ok(!requests.some((url) => url.includes('kwl_') && !url.includes('#')));
    web.assertQuiet();

    await context.clearCookies();
    await page.goto(`${service.api}/health/live`);
    await page.evaluate('localStorage.clear()');
    await page.goto(service.api + path);
    const refusal = page.getByRole('alert');
    await refusal.getByText('Log-in failed').waitFor();
    assert.match(await refusal.innerText(), /was already used, or is older than five minutes/);
    assert.equal(page.url(), `${service.api}/login`);
    assert.deepEqual(await cookies(web), []);
    web.assertQuiet(401);
  });

  it('is logged out completely: no cookie, no way back, no session on the server', async () => {
    const web = await open('/pipelines');
    const { page, context } = web;
    await page.getByRole('link', { name: 'Documents' }).waitFor();
    const [{ value } = { value: '' }] = await context.cookies();
    const headers = { cookie: `kw_session=${value}` };
    const stream = await fetch(`${service.api}/api/v1/events`, { headers });
    assert.equal(stream.status, 200);
    await page.getByRole('link', { name: 'Plugins' }).click();
    await page.getByRole('heading', { name: 'Plugins', level: 1 }).waitFor();
    await logOut(page);
    assert.deepEqual(await cookies(web), []);
    assert.equal((await fetch(`${service.api}/api/v1/session`, { headers })).status, 401);
    assert.match(await stream.text(), /^event: ready$/m, 'a stream of the session has come to its end');
    await page.goBack();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.match(pathOf(page), /^\/login/);
    assert.equal(await page.getByText('Documents').count(), 0);
    await page.goto(`${service.api}/plugins`);
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    web.assertQuiet(401);
  });

  it('sees nothing more in any tab after logging out in one, and is logged in again with it', async () => {
    const web = await open('/resources');
    const other = await web.context.newPage();
    await other.goto(`${service.api}/resources`);
    for (const page of [web.page, other])
      await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    // The tab that was opened first is the one that reads the events.
    await logOut(other);
    await web.page.getByRole('button', { name: 'Log in' }).waitFor();
    const asked = web.requests.length;
    const stream = await openEventStream(`${service.api}/api/v1/events`, { bearer: service.adminKey });
    await client.upload('document', { text: 'Nobody is told of this.' });
    await eventually(() => stream.events.some(({ type }) => type === 'resource.created'));
    stream.cut();
    // A page that still followed the events would have asked by now.
    await other.goto(`${service.api}/login`);
    assert.equal(await web.page.getByText('Nobody is told').count(), 0);
    assert.deepEqual(web.requests.slice(asked), []);

    await typeKey(other, service.adminKey);
    await web.page.getByRole('button', { name: 'Account: admin' }).waitFor();
    const { db, config } = service.deps;
    const { key } = await createApiKey(db, { name: 'second', scopes: ['admin'] });
    const path = await makeLoginLink(db, config, (await findApiKey(db, key))!);
    await other.goto(path);
    await web.page.getByRole('button', { name: 'Account: second' }).waitFor();

    // A login ends the session before it. The refusal of a request with its cookie may come late.
    const refusal = await fetch(`${service.api}/api/v1/plugins`);
    const response = { status: refusal.status, contentType: 'application/json', body: await refusal.text() };
    let tries = 0;
    await web.page.route('**/api/v1/plugins?*', (route) =>
      (tries += 1) === 1 ? route.fulfill(response) : route.continue(),
    );
    await web.page.getByRole('link', { name: 'Plugins' }).click();
    await web.page.getByRole('link', { name: 'Chunk text' }).waitFor();
    for (const page of [web.page, other])
      await page.getByRole('button', { name: 'Account: second' }).waitFor();
    assert.ok(tries > 1);
    await other.close();

    // The response to what a tab asked before it logged in comes last.
    const again = await makeLoginLink(db, config, (await findApiKey(db, service.adminKey))!);
    const loggedIn = web.page.waitForResponse((response) => response.request().method() === 'POST');
    let isLate = false;
    await web.page.route('**/api/v1/session', async (route) => {
      if (route.request().method() === 'POST') return route.continue();
      const response = await route.fetch();
      await loggedIn;
      await route.fulfill({ response }).catch(() => null);
      isLate = true;
    });
    await web.page.goto(again);
    await eventually(() => isLate);
    await web.page.getByRole('link', { name: 'Plugins' }).click();
    await web.page.getByRole('link', { name: 'Chunk text' }).waitFor();
    await web.page.getByRole('button', { name: 'Account: admin' }).waitFor();
    web.assertQuiet(401);
  });

  it('sees the login when the session ends on the server, and continues from there', async () => {
    const web = await open('/plugins');
    const { page, context } = web;
    await page.getByRole('link', { name: 'Chunk text' }).waitFor();
    // A proxy with a log-in of its own says nothing about the session.
    await page.route('**/api/v1/**', (route) => route.fulfill(proxyRefusal));
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('The response 401 does not come from this service.').waitFor();
    await page.unroute('**/api/v1/**');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.click();
    await again.waitFor({ state: 'detached' });
    await context.clearCookies();
    await page.getByRole('link', { name: 'Overview' }).click();
    await typeKey(page, service.adminKey);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    web.assertQuiet(401);
  });

  it('keeps what is unsaved when the session ends, and goes on after a new login', async () => {
    const { id: keyId, key: apiKey } = await createApiKey(service.deps.db, {
      name: 'short',
      scopes: ['admin'],
    });
    const steps = [{ plugin_id: 'chunk-text' }];
    const body = { name: 'Old name', trigger_type: 'kept', steps };
    const { id } = await client.expect(201, 'POST', '/pipelines', body);
    const web = await open(`/pipelines/${id}`, { apiKey });
    const { page } = web;
    const other = await web.context.newPage();
    await other.goto(`${service.api}/plugins`);
    await other.getByRole('link', { name: 'Chunk text' }).waitFor();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('New name');
    await client.expect(204, 'DELETE', `/keys/${keyId}`);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.dispatchEvent('click');

    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.waitFor();
    await prepareAxe(page);
    await drawn(page);
    assert.deepEqual(await violations(page, 'all'), []);
    // Nothing is unsaved in the other tab.
    await other.getByText('Your session ended').waitFor();
    assert.equal(pathOf(other), '/login?from=%2Fplugins');
    await page.keyboard.press('Escape');
    await typeKey(page, apiKey);
    await dialog.getByText('Log-in failed').waitFor();
    await typeKey(page, service.adminKey);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Account: admin' }).waitFor();
    assert.equal(await name.inputValue(), 'New name');
    assert.equal(await page.getByText('You are no longer logged in').count(), 0);
    await save.click();
    await page.getByText('New name\u2069” was saved').waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet(401);
  });

  it('keeps a secret that is shown once when another tab logs out', async () => {
    const web = await open('/keys');
    const { page } = web;
    const other = await web.context.newPage();
    await other.goto(`${service.api}/plugins`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Importer');
    await page.keyboard.press('Enter');
    const secret = page.getByTestId('signing-secret');
    const shown = await secret.innerText();
    await logOut(other);
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.getByText('The secret is shown only once. Log in again to continue.').waitFor();
    await typeKey(page, service.adminKey);
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await secret.innerText(), shown);
    web.assertQuiet(401);
  });

  it('has uploads continue after a new login, but not for another user and not after logging out', async () => {
    const { key: otherKey } = await createApiKey(service.deps.db, { name: 'other', scopes: ['admin'] });
    const web = await open('/resources');
    const { page } = web;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `unfinished-${name}.txt`);
    const added = async (): Promise<number> =>
      (await client.expect(200, 'GET', '/resources?q=unfinished')).items.length;
    const isSend = (url: URL): boolean => url.pathname.endsWith('/resources');
    let sends: Route[] = [];
    await page.route(isSend, async (route) => {
      if (route.request().method() === 'POST') sends.push(route);
      else await route.continue();
    });
    const add = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Add resources' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add resources' });
      await dialog
        .getByLabel('Choose files')
        .setInputFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })));
      await dialog.getByRole('button', { name: 'Add 6 resources' }).click();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await eventually(() => sends.length === 4);
    };
    const ended = {
      status: 401,
      json: { error: { code: 'UNAUTHENTICATED', message: 'ended', details: {} } },
    };
    const adding = page.getByRole('button', { name: /^Adding \d/ });
    const resources = page.getByRole('heading', { name: 'Resources', level: 1 });

    await add();
    await page.context().clearCookies();
    await sends[0]!.fulfill(ended);
    await page.getByText('Your session ended').waitFor();
    assert.equal(sends.length, 4);
    sends = [];
    await typeKey(page, otherKey);
    await resources.waitFor();
    assert.deepEqual([await added(), sends.length, await adding.count()], [0, 0, 0]);

    await add();
    await page.getByRole('button', { name: 'Account: other' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log out while resources are being added?' });
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await adding.count(), 1);
    await page.getByRole('button', { name: 'Account: other' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await dialog.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    sends = [];
    await typeKey(page, otherKey);
    await resources.waitFor();
    assert.deepEqual([await added(), sends.length, await adding.count()], [0, 0, 0]);

    await add();
    await page.context().clearCookies();
    await sends[0]!.fulfill(ended);
    await page.getByText('Your session ended').waitFor();
    await page.unroute(isSend);
    await typeKey(page, otherKey);
    await resources.waitFor();
    await eventually(async () => (await added()) === 6);
    await adding.waitFor({ state: 'detached' });
    web.assertQuiet(401);
  });

  it("can try the operations in /docs: reads, and changes that need the page's Origin", async () => {
    const web = await open('/keys');
    const { page } = web;
    await trimDocument(page, 'listPipelines', 'createPipeline');
    await page.getByRole('button', { name: 'Account: admin' }).click();
    await page.getByRole('menuitem', { name: 'REST API' }).click();
    await page.getByText('Logged in with the key admin (admin).').waitFor();
    const list = await openOperation(page, 'Pipelines-listPipelines');
    await list.getByRole('button', { name: 'Execute' }).click();
    await list.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();

    const make = await openOperation(page, 'Pipelines-createPipeline');
    const body = { name: 'Tried', trigger_type: 'tried', steps: [{ plugin_id: 'chunk-text' }] };
    await make.locator('textarea').fill(JSON.stringify(body));
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await make.getByRole('button', { name: 'Execute' }).click();
    await make.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor();
    const headers = await (await sent).allHeaders();
    assert.deepEqual([headers['origin'], headers['authorization']], [service.api, undefined]);
    const { items } = await client.expect(200, 'GET', '/pipelines');
    assert.ok(items.some(({ name }: { name: string }) => name === 'Tried'));
    web.assertQuiet();
  });
});
