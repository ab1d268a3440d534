import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

const handbook = `# Setup

Unpack the archive and read on.

## Disks

Each user has a **disk quota** of four gigabytes. Ask the operator for more.

# Care

Dust the shelves weekly.
`;
const dust = 'Dust the shelves weekly. '.repeat(50);
const promises = `Work is done here. ${dust}When a worker is killed, its step is repeated. ${dust}`;

describe('the search of the page', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebService;
  let web: WebPage;
  let page: Page;

  before(async () => {
    service = await startWebService();
    for (const [name, text] of [
      ['Handbook.md', handbook],
      ['Lunch.txt', 'The canteen opens at noon. Disks are served as plates.'],
      ['Promises.txt', promises],
      ['Stairs.txt', 'Polish the banister weekly. '.repeat(600)],
    ] as const) {
      const { id } = await service.client.upload('document', { name, text });
      await service.client.settled(id);
    }
  });
  after(() => service.stop());

  const open = async (path: string): Promise<void> => {
    web = await browser.open(service, path);
    page = web.page;
  };
  const hits = (): ReturnType<Page['getByRole']> =>
    page.getByRole('list', { name: 'Hits' }).getByRole('listitem');

  it('works from any view by keyboard, and opens the text at the match', async () => {
    await open('/plugins');
    await page.getByRole('heading', { name: 'Plugins' }).waitFor();
    const focused = page.locator('search input:focus');
    await page.keyboard.press('/');
    await focused.waitFor();
    await page.keyboard.press('Escape');
    await focused.waitFor({ state: 'detached' });
    // As on a German keyboard.
    await page.locator('body').dispatchEvent('keydown', { key: '/', shiftKey: true });
    await page.keyboard.type('disk quota');
    await page.keyboard.press('Enter');
    await hits().first().waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/search?q=disk+quota');
    assert.match(await hits().first().innerText(), /Handbook.md\s+Setup/);
    const marks = await hits().first().locator('mark').allInnerTexts();
    assert.ok(marks.includes('disk') && marks.includes('quota'), marks.join());

    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Handbook.md', level: 1 }).waitFor();
    const text = page.getByRole('region', { name: 'Text at this place' });
    await text.locator('mark').first().waitFor();
    assert.deepEqual((await text.locator('mark').allInnerTexts()).slice(-2), ['disk', 'quota']);
    await page.getByRole('link', { name: 'Download the original' }).waitFor();
    await page.goBack();
    await hits().first().waitFor();
    web.assertQuiet();
  });

  it('shows the passage with the most of the words, in the excerpt and in the text', async () => {
    const search = '?q=killed+worker&type=document&type=R%26D';
    await open(`/search${search}`);
    assert.match(await hits().first().innerText(), /… .*When a worker is killed, its step/);
    await hits().first().getByRole('link').click();
    const text = page.getByRole('region', { name: 'Text at this place' });
    const killed = text.locator('mark', { hasText: 'killed' });
    await killed.waitFor();
    const [box, mark] = [await text.boundingBox(), await killed.boundingBox()];
    assert.ok(box!.y <= mark!.y && mark!.y + mark!.height <= box!.y + box!.height);
    assert.ok((await text.evaluate(({ scrollTop }) => scrollTop)) > 0);
    await page.getByRole('link', { name: 'Search results' }).click();
    await hits().first().waitFor();
    assert.equal(new URL(page.url()).search, search);
    web.assertQuiet();
  });

  it('is narrowed down by filters kept in the URL, and suggests what to do when nothing is found', async () => {
    await open('/search?q=disks&type=nothing');
    await page.getByText('No passage matches').waitFor();
    await page.getByText('Clear the filters first').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Type: nothing' }).click();
    await hits().nth(1).waitFor();
    assert.equal(new URL(page.url()).search, '?q=disks');
    await page.getByRole('button', { name: 'Only the type document' }).first().click();
    await page.getByText('Type: document').waitFor();
    assert.equal(new URL(page.url()).search, '?q=disks&type=document');
    web.assertQuiet();
  });

  it('is narrowed down by a day, counts a single passage, and needs a word to find', async () => {
    await open('/search?q=disks&created_before=2020-01-01T00%3A00%3A00Z');
    await page.getByText('No passage matches').waitFor();
    await page.getByRole('button', { name: /^Remove the filter Added up to: (2019|2020)/ }).click();
    await hits().nth(1).waitFor();
    const searchFor = async (words: string): Promise<void> => {
      await page.getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
    };
    await searchFor('plates');
    await page.getByRole('status').getByText('1 passage found', { exact: true }).waitFor();
    await searchFor('-disks');
    await page.getByRole('heading', { name: 'A search needs at least one word to find' }).waitFor();
    await page.getByText('Add a word without a minus sign.').waitFor();
    await searchFor('!!!');
    await page.getByText('Punctuation alone finds nothing.').waitFor();
    web.assertQuiet();
  });

  it('shows the best passages of each document, and more of them on request', async () => {
    await open('/search?q=banister');
    await page.getByRole('status').getByText('3 passages, the best of each document').waitFor();
    let held: Route | undefined;
    await page.route('**/api/v1/search', (route) => void (held = route), { times: 1 });
    await page.getByRole('button', { name: 'Show more' }).click();
    const more = await eventually(() => held);
    // The first hits stay until there are more.
    await page.getByText('3 passages, the best of each document').waitFor();
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    await more.continue();
    await hits().nth(3).locator('a:focus').waitFor();
    assert.equal(new URL(page.url()).search, '?q=banister&limit=50&per_resource=50');
    web.assertQuiet();
  });

  it('offers search by words if there are no vectors for a search by meaning', async () => {
    await open('/search?q=plates&mode=vector');
    const alert = page.getByRole('alert').filter({ hasText: 'Semantic search needs vectors' });
    const cause = /The plugin “embed” is inactive, or its config lacks/;
    assert.match(await alert.innerText(), cause);
    await page.getByRole('button', { name: 'Search by words' }).click();
    await hits().first().waitFor();
    assert.match(await hits().first().innerText(), /Lunch/);
    await page.getByText('Words and meaning', { exact: true }).click();
    await page.getByText('Searched by words only').waitFor();
    await page.getByText(cause).waitFor();
  });

  it('is repeated by Enter, and by itself when more is searchable', async () => {
    const { client } = service;
    const add = async (word: string): Promise<void> => {
      const { id } = await client.upload('document', { name: `${word}.txt`, text: `Guests wait: ${word}.` });
      await client.settled(id);
      await eventually(async () => (await client.expect(200, 'GET', `/search?q=${word}`)).items.length > 0);
    };
    await open('/search?q=hallway');
    await page.getByText('No passage matches').waitFor();
    // Without an answer about what is searchable, nothing is repeated by itself.
    await page.route('**/api/v1/search/status', () => undefined);
    await add('hallway');
    await page.getByRole('searchbox').press('Enter');
    await hits().first().waitFor();
    await page.unroute('**/api/v1/search/status');

    await page.clock.install();
    const polled = page.waitForResponse('**/api/v1/search/status');
    await page.goto(`${service.api}/search?q=balcony`);
    await polled;
    await add('balcony');
    await page.clock.fastForward(15_000);
    await hits().first().waitFor();
    web.assertQuiet();
    // Its clock cannot be reset.
    await web.close();
  });
});
