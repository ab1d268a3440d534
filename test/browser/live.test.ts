import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { startProxiedStack, type ProxiedStack } from '../support/service/proxied-stack.js';
import { onSharedServers } from '../support/service/stack.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import type { WebPage } from '../support/browser/web-page.js';

describe('live changes on the page', function () {
  const browser = suiteBrowser();
  let parts: ProxiedStack;
  let client: RestClient;
  let site: RemoteSite;
  let web: WebPage;
  let page: Page;

  before(async () => {
    site = await startRemoteSite();
    parts = await startProxiedStack({ env: { ...(await onSharedServers()), KW_URL_ALLOW: site.host } });
    client = createRestClient(parts.stack);
  });
  after(() => Promise.all([parts.stop(), site.stop()]));

  const open = async (path: string): Promise<void> => {
    web = await browser.open(parts.front, path);
    ({ page } = web);
    await connection('Live');
  };
  const connection = (text: string): Promise<void> =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const row = (name: string) => page.getByRole('table', { name: 'Resources' }).getByRole('row', { name });

  it('that were missed while the network was down appear when it is back', async () => {
    const [kept, deleted] = await Promise.all([
      client.upload('document', { text: 'Kept' }),
      client.upload('document', { text: 'Deleted' }),
    ]);
    await Promise.all([client.settled(kept.id), client.settled(deleted.id)]);
    await open('/resources');
    for (const name of ['Kept.txt', 'Deleted.txt']) await row(name).getByText('Completed').waitFor();

    await parts.proxy.set('refuse');
    await connection('Updates paused');
    await client.expect(200, 'PATCH', `/resources/${kept.id}`, { name: 'Renamed' });
    await client.expect(204, 'DELETE', `/resources/${deleted.id}`);
    await client.settled((await client.upload('document', { text: 'New' })).id);
    // A banner says so, above what was loaded.
    await page.getByText('The service does not answer').waitFor();
    assert.equal(await row('Kept.txt').count(), 1);

    await parts.proxy.set('pass');
    await connection('Live');
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
    await row('Renamed').getByText('Completed').waitFor();
    await row('New.txt').getByText('Completed').waitFor();
    await row('Deleted.txt').waitFor({ state: 'detached' });
    assert.equal(await row('Kept.txt').count(), 0);
    await web.assertNeverReloaded();
    web.assertQuiet('net::ERR_');
  });

  it('leave what is typed alone while a reverse proxy answers 503', async () => {
    const { id } = await client.upload('document', { text: 'Typed' });
    await client.settled(id);
    await open(`/resources/${id}`);
    await page.getByRole('button', { name: 'Actions for' }).click();
    await page.getByRole('menuitem', { name: 'Rename …' }).click();
    const name = page.getByRole('dialog', { name: 'Rename' }).getByLabel('Name');
    await name.fill('A new na');

    let connections = 0;
    await page.route('**/api/**', async (route) => {
      if (route.request().url().endsWith('/events')) connections += 1;
      await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503</h1>' });
    });
    await parts.proxy.set('refuse');
    await parts.proxy.set('pass');
    await page.getByText('The service does not answer').waitFor();
    await eventually(() => Promise.resolve(connections >= 2), { timeoutMs: 60_000 });
    assert.equal(await name.inputValue(), 'A new na');

    await page.unroute('**/api/**');
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
    await name.pressSequentially('me');
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'A new name' }).waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet(503, 'net::ERR_');
  });

  it('that the worker made while the API was down appear when it is back', async () => {
    let answer: (() => void) | undefined;
    site.handle = (_, response) => {
      answer = () => response.setHeader('content-type', 'text/html').end('<title>Late</title><p>At last.');
    };
    const late = `${site.url}/late`;
    await client.addUrl('webpage', late);
    // The list asks for nothing by itself, unlike a resource's own view: events alone bring it up to date.
    await open('/resources');
    await row(late).getByText('Processing', { exact: true }).waitFor();
    await eventually(() => answer !== undefined);

    const before = parts.stack.stack().processes['api']!;
    process.kill(before, 'SIGKILL');
    await connection('Updates paused');
    answer?.();
    await eventually(() => {
      const now = parts.stack.stack().processes['api'];
      return now !== undefined && now !== before;
    });
    await connection('Live');
    await row(late).getByText('Completed', { exact: true }).waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet('net::ERR_', 503);
  });
});
