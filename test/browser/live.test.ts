import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import type { RestClient } from '../support/service/rest-client.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startProxiedWebService, type ProxiedWebService } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

describe('live changes on the page', function () {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: ProxiedWebService;
  let client: RestClient;
  let site: RemoteSite;
  let web: WebPage;
  let page: Page;

  before(async () => {
    site = await startRemoteSite();
    service = await startProxiedWebService({ KW_URL_ALLOW: site.host });
    ({ client } = service);
  });
  after(() => Promise.all([service.stop(), site.stop()]));

  const open = async (path: string): Promise<void> => {
    web = await browser.open(service, path);
    ({ page } = web);
    await connection('Live');
  };
  /**
   * Opens a page that shows no view: a test can route what the document loads that it goes to next. In a document that
   * stays, this is the view of an unknown path.
   */
  const openEmpty = async (): Promise<void> => {
    web = await browser.open(service, '/health/live');
    ({ page } = web);
  };
  /** Registers a resource that stays as it is, because its type has no pipeline. */
  const addIdle = (text: string): ReturnType<RestClient['upload']> => client.upload('idle', { text });
  const connection = (text: string): Promise<void> =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const row = (name: string) => page.getByRole('table', { name: 'Resources' }).getByRole('row', { name });

  it('that were missed while the network was down appear when it is back', async () => {
    const [kept, deleted] = await Promise.all([addIdle('Kept'), addIdle('Deleted')]);
    let answer: (() => void) | undefined;
    site.handle = (_, response) => {
      answer = () => response.setHeader('content-type', 'text/html').end('<title>Slow</title><p>At last.');
    };
    const slow = `${site.url}/slow`;
    const { id: slowId } = await client.addUrl('webpage', slow);
    // The list asks for nothing by itself, unlike a resource's own view: events alone bring it up to date.
    await open('/resources');
    for (const name of ['Kept.txt', 'Deleted.txt']) await row(name).waitFor();
    await row(slow).getByText('Processing', { exact: true }).waitFor();
    await eventually(() => answer !== undefined);

    await service.proxy.set('refuse');
    await connection('Updates paused');
    await client.expect(200, 'PATCH', `/resources/${kept.id}`, { name: 'Renamed' });
    await client.expect(204, 'DELETE', `/resources/${deleted.id}`);
    await client.settled((await client.upload('document', { text: 'New' })).id);
    // A source that is silent for long is fetched again: this answers the newest request.
    answer?.();
    await client.settled(slowId);
    // A banner says so, above what was loaded.
    await page.getByText('The service does not answer').waitFor();
    assert.equal(await row('Kept.txt').count(), 1);

    await service.proxy.set('pass');
    await connection('Live');
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
    await row('Renamed').waitFor();
    await row('New.txt').getByText('Completed').waitFor();
    await row(slow).getByText('Completed', { exact: true }).waitFor();
    await row('Deleted.txt').waitFor({ state: 'detached' });
    assert.equal(await row('Kept.txt').count(), 0);
    await web.assertNeverReloaded();
    web.assertQuiet('net::ERR_');
  });

  /** Answers every request of the page to the API with 503, as a reverse proxy does, and counts them by path. */
  const answer503 = async (): Promise<(path: string) => number> => {
    const paths: string[] = [];
    await page.route('**/api/v1/**', async (route) => {
      paths.push(new URL(route.request().url()).pathname.replace(/.*\/api\/v1/, ''));
      await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503</h1>' });
    });
    return (path) => paths.filter((one) => one === path).length;
  };
  const answerAgain = async (): Promise<void> => {
    await page.unroute('**/api/v1/**');
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
  };
  const cutStream = async (): Promise<void> => {
    await service.proxy.set('refuse');
    await service.proxy.set('pass');
  };

  it('leave rows and what is typed alone while a reverse proxy answers 503', async () => {
    const names = ['Typed', 'Other'];
    const [, other] = await Promise.all(names.map(addIdle));
    await open('/resources');
    for (const name of names) await row(`${name}.txt`).waitFor();
    await page.getByRole('button', { name: 'Actions for Typed.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename' });
    await dialog.getByLabel('Name').fill('A new na');

    const asked = await answer503();
    await cutStream();
    await page.getByText('The service does not answer').waitFor();
    await client.expect(200, 'PATCH', `/resources/${other.id}`, { name: 'Changed meanwhile' });
    await eventually(() => asked('/events') >= 2);
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'A new na');
    for (const name of names) assert.equal(await row(`${name}.txt`).count(), 1);
    assert.equal(asked('/session'), 0, 'a 503 does not put the session in doubt');

    await answerAgain();
    await row('Changed meanwhile').waitFor();
    await dialog.getByLabel('Name').pressSequentially('me');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await row('A new name').waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet(503, 'net::ERR_');
  });

  it('that could not be loaded because of a 503 are loaded when the service answers again', async () => {
    const { id } = await addIdle('Dropped');
    await open('/resources');
    await row('Dropped.txt').waitFor();

    // The stream still announces the change, but the list cannot be reloaded.
    const asked = await answer503();
    await client.expect(204, 'DELETE', `/resources/${id}`);
    await eventually(() => asked('/resources') >= 3);
    await cutStream();
    await connection('Updates paused');
    assert.equal(await row('Dropped.txt').count(), 1);

    await answerAgain();
    await row('Dropped.txt').waitFor({ state: 'detached' });
    await web.assertNeverReloaded();
    web.assertQuiet(503, 'net::ERR_');
  });

  it('leave views alone that were loaded before a 503, and load those opened meanwhile', async () => {
    await open('/audit');
    const entries = page.getByRole('region', { name: 'Who changed what' }).getByRole('row');
    await entries.nth(1).waitFor();
    const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    await link('System').click();
    await page.getByRole('heading', { name: 'System' }).waitFor();

    const asked = await answer503();
    await cutStream();
    // The log is reloaded whenever it is shown.
    await link('Audit log').click();
    await eventually(() => asked('/audit') >= 3);
    await page.getByText('The service does not answer').waitFor();
    assert.ok((await entries.count()) > 1);
    await link('Pipelines').click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();

    await answerAgain();
    await again.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Steps of' }).first().waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet(503, 'net::ERR_');
  });

  it('that were made before the first connection appear once it is open', async () => {
    const { id } = await addIdle('Early');
    await openEmpty();
    await page.route('**/api/v1/events', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${service.api}/resources`);
    await row('Early.txt').waitFor();
    await connection('Updates paused');
    await client.expect(200, 'PATCH', `/resources/${id}`, { name: 'Late' });

    await page.unroute('**/api/v1/events');
    await connection('Live');
    await row('Late').waitFor();
    web.assertQuiet(503, 'net::ERR_');
  });

  it('appear at intervals while the stream is refused, and a banner says why', async () => {
    const { id } = await addIdle('Refused');
    await openEmpty();
    const message = 'The key already has 100 open streams of changes.';
    const json = { error: { code: 'RATE_LIMITED', message, details: {} } };
    await page.route('**/api/v1/events', (route) => route.fulfill({ status: 429, json }));
    await page.goto(`${service.api}/resources`);
    await row('Refused.txt').waitFor();
    await connection('Updates paused');
    await client.expect(200, 'PATCH', `/resources/${id}`, { name: 'Polled' });
    await row('Polled').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `Live updates are refused${message}` })
      .waitFor();
    assert.equal(await page.getByText('The service does not answer').count(), 0);
    web.assertQuiet(429);
  });

  it('that were made while the stream was being opened appear, also in a tab that takes it over', async () => {
    const { id } = await addIdle('Between');
    await openEmpty();
    const holdStream = async (tab: Page): Promise<() => Promise<Route>> => {
      let held: Route | undefined;
      await tab.route('**/api/v1/events', (route) => void (held = route));
      return () => eventually(() => held);
    };
    const stream = await holdStream(page);
    await page.goto(`${service.api}/resources`);
    await row('Between.txt').waitFor();
    const opening = await stream();
    await client.expect(200, 'PATCH', `/resources/${id}`, { name: 'Between the two' });
    await opening.continue();
    await row('Between the two').waitFor();

    const other = await web.context.newPage();
    const takenOver = await holdStream(other);
    await other.goto(`${service.api}/resources`);
    await other.getByRole('row', { name: 'Between the two' }).waitFor();
    await page.goto(`${service.api}/health/live`);
    const again = await takenOver();
    await client.expect(200, 'PATCH', `/resources/${id}`, { name: 'After the first tab' });
    await again.continue();
    await other.getByRole('row', { name: 'After the first tab' }).waitFor();
    web.assertQuiet();
  });

  it('are in views that were first opened while the service did not answer', async () => {
    // The test before has left its document, so this one is new and has not loaded the overview's code yet.
    await open('/resources');
    await service.proxy.set('refuse');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByText('The service does not answer').waitFor();
    await service.proxy.set('pass');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await connection('Live');
    await web.assertNeverReloaded();
    web.assertQuiet('net::ERR_');
  });

  it('appear again when another request shows that the service is back, long before the next try', async () => {
    await openEmpty();
    await page.clock.install();
    let tries = 0;
    await page.route('**/api/v1/events', (route) => {
      tries += 1;
      return route.fulfill({ status: 503, body: '' });
    });
    await page.goto(`${service.api}/plugins`);
    for (let pauses = 1; pauses <= 5; pauses++) {
      await eventually(() => tries === pauses);
      await connection('Updates paused');
      if (pauses < 5) await page.clock.fastForward(30_000);
    }
    await page.unroute('**/api/v1/events');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'System' }).click();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ timeout: 20_000 });
    web.assertQuiet(503);
    // Its clock cannot be reset.
    await web.close();
  });
});
