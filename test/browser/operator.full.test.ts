import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  painted,
  scrollThrough,
  slowDown,
  watchInteractions,
  type Interaction,
} from '../support/browser/interactions.js';
import { deleteNewsletters, repair, seeTrouble } from '../support/browser/operator.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startTroubledService, type TroubledService } from '../support/browser/troubled-service.js';

const trouble = { all: 5_000, failedOfEach: 75, waiting: 20, superfluous: 200 };
const slowness = 4;
const longestMs = 200;
const firstLoadBytes = 300_000;

describe('an operator of 5,000 resources, of which 300 failed and 20 wait', function () {
  this.timeout(900_000);

  const browser = suiteBrowser();
  let service: TroubledService;

  before(async () => {
    service = await startTroubledService(trouble);
  });
  after(() => service.stop());

  const rows = (page: Page) => page.getByRole('table', { name: 'Resources' }).getByRole('link');

  it('loads less than 300 kB at first', async () => {
    const web = await browser.open(service, '/health/live');
    const devtools = await web.context.newCDPSession(web.page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    const pending = new Set<string>();
    devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
      // The stream of events never ends.
      if (!new URL(request.url).pathname.endsWith('/events')) pending.add(requestId);
    });
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes += encodedDataLength;
      pending.delete(requestId);
    });
    await web.page.goto(`${service.api}/`);
    await rows(web.page).first().waitFor();
    await web.page.getByRole('link', { name: 'Show causes and what to do' }).waitFor();
    await eventually(() => Promise.resolve(pending.size === 0));
    console.log(`    first load: ${Math.round(bytes / 1000)} kB`);
    assert.ok(bytes < firstLoadBytes, `${bytes} bytes`);
  });

  it('gets a response to each input within 200 ms on a processor 4 times as slow', async () => {
    let slowest: readonly Interaction[] = [];
    // Other work on the machine delays a page too, so the best of three counts.
    for (let tries = 0; tries < 3; tries += 1) {
      const web = await browser.open(service, '/resources?limit=200');
      slowest = await workInList(web.page);
      web.assertQuiet();
      await web.close();
      if (slowest.every(({ milliseconds }) => milliseconds < longestMs)) break;
    }
    assert.ok(slowest.length > 10);
    assert.deepEqual(
      slowest.filter(({ milliseconds }) => milliseconds >= longestMs),
      [],
    );
  });

  /** Scrolls, selects, sorts, filters and pages on a slow processor. Returns the interactions, slowest first. */
  async function workInList(page: Page): Promise<readonly Interaction[]> {
    const shown = (count: number): Promise<unknown> =>
      eventually(async () => (await rows(page).count()) === count, { timeoutMs: 60_000 });
    await shown(200);
    // The next query runs in the page, on the slow processor. It waits until the interaction is painted.
    const act = async (interact: () => Promise<void>): Promise<void> => {
      await interact();
      await painted(page);
    };
    const endSlowness = await slowDown(page, slowness);
    const interactions = await watchInteractions(page);

    const frames = await scrollThrough(page);
    await page.evaluate('scrollTo(0, 0)');
    const boxes = page.getByRole('checkbox', { name: /^Select / });
    await act(() => boxes.nth(1).click());
    await act(() => boxes.nth(40).click({ modifiers: ['Shift'] }));
    await act(() => boxes.first().click());
    await act(() => page.getByRole('button', { name: 'Clear the selection' }).click());
    await act(() => page.getByRole('button', { name: 'Name', exact: true }).click());
    await shown(200);
    await act(() =>
      page
        .getByRole('button', { name: /^Actions for / })
        .nth(3)
        .click(),
    );
    await act(() => page.keyboard.press('Escape'));
    await act(() => page.getByRole('button', { name: 'More filters' }).click());
    await page.getByLabel('Metadata key').fill('team');
    await act(() => page.getByLabel('Value', { exact: true }).click());
    await act(() => page.keyboard.type('team-3'));
    await act(() => page.keyboard.press('Enter'));
    await page.getByText('team: team-3').waitFor();
    await page.goBack();
    await page.getByText('team: team-3').waitFor({ state: 'detached' });
    await act(() => page.getByRole('searchbox', { name: 'Filter resources by name' }).click());
    await act(() => page.keyboard.type('memo 00', { delay: 60 }));
    await act(() => page.keyboard.press('Escape'));
    await shown(200);
    await act(() => page.getByRole('button', { name: 'Next' }).click());
    await page.getByRole('button', { name: 'First' }).waitFor();
    await endSlowness();

    const slowest = [...(await interactions())].sort((one, other) => other.milliseconds - one.milliseconds);
    const frame = frames.toSorted((one, other) => one - other);
    const p95 = frame[Math.floor(frame.length * 0.95)] ?? 0;
    console.log(
      `    ${slowest.length} interactions, the slowest:`,
      slowest.slice(0, 5).map(({ name, milliseconds }) => `${name} ${milliseconds} ms`),
      `${frames.length} frames while scrolling 200 rows, p95 ${Math.round(p95)} ms, longest ${Math.round(frame.at(-1) ?? 0)} ms`,
    );
    return slowest;
  }

  it('sees waiting resources in amber, with the reason', async () => {
    const web = await browser.open(service, '/resources?waiting=true');
    const { page } = web;
    await eventually(async () => (await rows(page).count()) === trouble.waiting);
    const row = page.getByRole('row').filter({ hasText: 'Scan 7.txt' });
    await row.getByText('Waiting', { exact: true }).waitFor();
    await row.getByText(/ocr: .*ocr-workers/).waitFor();
    await page.goto(`${service.api}/overview`);
    await seeTrouble(page, trouble);
    web.assertQuiet();
  });

  it('deletes 200 resources by a filter in five clicks', async () => {
    const web = await browser.open(service, '/');
    const clicks = await deleteNewsletters(web.page, trouble, 'mouse');
    console.log(`    clicks: ${clicks}`);
    assert.ok(clicks <= 5);
    web.assertQuiet();
  });

  it('finds each of four causes, fixes it and resumes all 300 in ten clicks', async () => {
    const web = await browser.open(service, '/');
    const clicks = await repair(web.page, service, trouble, 'mouse');
    console.log(`    clicks: ${clicks}`);
    assert.ok(clicks <= 10);
    web.assertQuiet();
  });
});
