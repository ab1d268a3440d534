import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import type { PluginStatistics } from '../../storage/statistics.js';
import { eventually } from '../support/eventually.js';
import type { RestClient } from '../support/service/rest-client.js';
import { deleteNewsletters, repair } from '../support/browser/operator.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startTroubledService, type TroubledService } from '../support/browser/troubled-service.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

describe('the overview in a browser', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebService;
  let client: RestClient;
  let web: WebPage;
  let page: Page;

  before(async function () {
    service = await startWebService();
    ({ client } = service);
    const contents = [
      ...['notes.md', 'orders.csv', 'words.txt'].map((name) => ({ name, text: 'Some words.' })),
      ...['locked.pdf', 'locked.docx'].map((fixture) => ({ fixture })),
    ];
    const made = await Promise.all(contents.map((content) => client.upload('document', content)));
    await client.upload('without-a-pipeline', { text: 'It waits.' });
    for (const { id } of made) await client.settled(id);
  });
  after(() => service.stop());

  const open = async (path: string): Promise<void> => {
    web = await browser.open(service, path);
    page = web.page;
    await page.getByRole('heading', { name: 'By plugin' }).waitFor();
  };
  const tile = (label: string): Locator =>
    page.getByRole('list', { name: 'Resources by status' }).getByRole('link', { name: label });
  const counts = async (): Promise<Record<string, number>> => {
    const texts = await page
      .getByRole('list', { name: 'Resources by status' })
      .getByRole('link')
      .allInnerTexts();
    return Object.fromEntries(texts.map((text) => [text.split(/\s+/)[0], Number(text.split(/\s+/)[1])]));
  };
  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const now = { Processing: 0, Completed: 3, Failed: 2, Pending: 1, Cancelled: 0 };

  it('shows the counts of the service, and links to them', async () => {
    await open('/overview');
    const statistics = await client.expect(200, 'GET', '/statistics?hours=24');
    assert.deepEqual(await counts(), now);
    const { COMPLETED, FAILED, PENDING } = statistics.resources;
    assert.deepEqual([COMPLETED, FAILED, PENDING], [3, 2, 1]);
    await tile('Failed').click();
    await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'locked.pdf' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'notes.md' }).count(), 0);
    web.assertQuiet();
  });

  it('plots what ended when, and shows the numbers too', async () => {
    await open('/overview');
    const throughput = region('Throughput');
    assert.match(await throughput.innerText(), /Completed\s+3\s+Failed\s+2\s+Cancelled\s+0\s+Registered\s+6/);
    assert.match(await region('Failures').innerText(), /Failed\s+2/);
    await throughput.getByText('As a table').click();
    const rows = await throughput.getByRole('row').allInnerTexts();
    const sums = [0, 0, 0, 0];
    for (const row of rows.slice(1))
      for (const [at, cell] of row.split('\t').slice(1).entries()) sums[at]! += Number(cell);
    assert.deepEqual(sums, [3, 2, 0, 6]);

    const heights = await throughput
      .locator('rect[data-tone]')
      .evaluateAll((all) =>
        all.map((bar) => [bar.getAttribute('data-tone'), Number(bar.getAttribute('height'))] as const),
      );
    const drawn = (tone: string): number =>
      heights.filter(([of]) => of === tone).reduce((sum, [, height]) => sum + height, 0);
    assert.ok(Math.abs(drawn('green') / drawn('red') - 3 / 2) < 0.01, JSON.stringify(heights));
    web.assertQuiet();
  });

  it("shows the outcomes of each plugin's steps", async () => {
    await open('/overview');
    const { plugins } = await client.expect(200, 'GET', '/statistics?hours=24');
    const table = region('Steps by plugin');
    for (const { plugin_id, completed, failed } of plugins as PluginStatistics[]) {
      const cells = await table.getByRole('row', { name: plugin_id }).getByRole('cell').allInnerTexts();
      assert.deepEqual(cells.slice(0, 2), [String(completed + failed), String(completed)]);
      assert.equal(Number.parseInt(cells[2] ?? ''), failed);
    }
    assert.match(await table.innerText(), /extract-text\s+5\s+3\s+2 \(40.0 %\)/);
    web.assertQuiet();
  });

  it('can be read by keyboard: the arrow keys move from bucket to bucket', async () => {
    await open('/overview?hours=2');
    const moments = page.getByRole('slider', { name: /^Runs that ended/ });
    await moments.focus();
    assert.equal(await moments.getAttribute('aria-valuetext'), 'none selected');
    await page.keyboard.press('End');
    const last = await moments.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await moments.getAttribute('aria-valuetext'), last);
    assert.match(await region('Throughput').innerText(), /\d\d:\d\d/);
    await page.keyboard.press('Escape');
    assert.equal(await moments.getAttribute('aria-valuetext'), 'none selected');
    web.assertQuiet();
  });

  it('shows another time range, which is kept in the URL', async () => {
    await open('/overview');
    const asked = page.waitForRequest('**/api/v1/statistics?hours=168');
    await page.getByText('7 days', { exact: true }).click();
    await asked;
    assert.equal(new URL(page.url()).search, '?hours=168');
    await page.reload();
    await page.getByRole('radio', { name: '7 days' }).waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('radio', { name: '7 days' }).isChecked(), true);
    web.assertQuiet();
  });

  it('updates live without a reload', async () => {
    await open('/overview');
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    const { id } = await client.upload('document', { text: 'A report.' });
    await client.settled(id);
    await eventually(async () => isDeepStrictEqual(await counts(), { ...now, Completed: 4 }));
    assert.match(await region('Throughput').innerText(), /Completed\s+4/);
    web.assertQuiet();
  });

  it('shows why resources failed even if nothing else answers, and resumes those of one cause', async () => {
    web = await browser.open(service, '/resources');
    page = web.page;
    for (const path of ['system', 'statistics*'])
      await page.route(`**/api/v1/${path}`, (route) => route.fulfill({ status: 503, body: 'away' }));
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Overview', exact: true })
      .click();
    const cause = page.getByRole('list', { name: 'Failures by cause' }).getByRole('listitem');
    await cause.getByText('2 × ENCRYPTED_FILE at extract-text, type document').waitFor();
    assert.match(await cause.innerText(), /since .+, last .+ · Show an example/);
    await cause.getByRole('button', { name: 'Resume all 2' }).click();
    await page.getByText('2 resources will resume from the failed step').waitFor();
    const [operation] = (await client.expect(200, 'GET', '/operations')).items;
    assert.deepEqual([operation.action, operation.from_step, operation.matched], ['reprocess', 'failed', 2]);
    await cause.getByRole('link', { name: 'Show an example' }).click();
    await page.getByRole('heading', { level: 1, name: /^locked\./ }).waitFor();
    web.assertQuiet(503);
  });
});

describe('an operator of a service with many failures', () => {
  const trouble = { all: 12, failedOfEach: 1, waiting: 2, superfluous: 3 };
  const browser = suiteBrowser();
  let service: TroubledService;

  before(async () => {
    service = await startTroubledService(trouble);
  });
  after(() => service.stop());

  it('finds each cause, fixes it and resumes everything by keyboard, activating ten controls', async () => {
    const web = await browser.open(service, '/');
    assert.ok((await repair(web.page, service, trouble, 'keyboard')) <= 10);
    await web.assertNeverReloaded();
    web.assertQuiet();
  });

  it('deletes the results of a filter by keyboard, activating five controls', async () => {
    const web = await browser.open(service, '/');
    assert.ok((await deleteNewsletters(web.page, trouble, 'keyboard')) <= 5);
    web.assertQuiet();
  });
});
