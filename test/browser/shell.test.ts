import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebApi, type WebApi } from '../support/browser/web-service.js';
import type { WebPage, WebPageOptions } from '../support/browser/web-page.js';

/** What may pass over the wire until the first view is there. */
const firstLoadBytes = 300_000;

describe('the page as a whole, in a browser', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebApi;
  let web: WebPage;
  let page: Page;

  before(async () => {
    service = await startWebApi();
    await service.client.upload('without-a-pipeline', { fixture: 'notes.md' });
  });
  after(() => service.stop());

  const open = async (path: string, options: WebPageOptions = {}): Promise<void> => {
    web = await browser.open(service, path, options);
    page = web.page;
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** The name of what has the focus. */
  const focused = (): Promise<string> =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim().slice(0, 40) || document.activeElement.tagName",
    );
  /** Goes on with the tab key until something of this name has the focus. Returns the names of what had it before. */
  const tabTo = async (name: string | RegExp): Promise<readonly string[]> => {
    const passed: string[] = [];
    for (let stops = 0; stops < 60; stops++) {
      const now = await focused();
      if (typeof name === 'string' ? now === name : name.test(now)) return passed;
      passed.push(now);
      await press('Tab');
    }
    assert.fail(`Nothing is called ${String(name)} among ${passed.join(', ')}`);
  };

  for (const [what, path, options] of [
    ['the log-in', '/login', { apiKey: null }],
    ['the front door with the list of resources', '/', {}],
  ] as const) {
    it(`transfers less than 300 kB at its first load: ${what}`, async () => {
      await open('/health/live', options);
      const cdp = await web.context.newCDPSession(page);
      await cdp.send('Network.enable');
      await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
      const sizes = new Map<string, number>();
      cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
        sizes.set(requestId, encodedDataLength),
      );
      await page.goto(`${service.api}${path}`);
      if (path === '/login') await page.getByRole('button', { name: 'Log in' }).waitFor();
      else await page.getByRole('link', { name: 'notes.md' }).waitFor();
      await cdp.detach();
      const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      assert.ok(sizes.size >= 4 && all > 50_000, 'it has seen what was loaded');
      assert.ok(all < firstLoadBytes, `${all} bytes in ${sizes.size} answers`);
    });
  }

  it('works by keyboard only: past the menu, and along it', async () => {
    await open('/resources');
    // Only a new document has had no focus yet.
    await page.reload();
    await page.getByRole('link', { name: 'notes.md' }).waitFor();
    await press('Tab');
    assert.equal(await focused(), 'Skip to content');
    const link = page.getByRole('link', { name: 'Skip to content' });
    await eventually(async () => ((await link.boundingBox())?.y ?? -1) >= 0);
    await press('Enter', 'Tab');
    assert.equal(await focused(), 'Search all documents');
    await press('Tab');
    assert.match(await focused(), /^All 1/);

    for (const name of ['Pipelines', 'Plugins', 'Overview', 'Resources']) {
      await tabTo(name);
      await press('Enter');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      assert.equal(
        await page.getByRole('link', { name, exact: true }).first().getAttribute('aria-current'),
        'page',
      );
      assert.match(await page.title(), new RegExp(`^${name}`));
      await press(...Array.from({ length: 3 }, () => 'Shift+Tab'));
    }
    web.assertQuiet();
  });

  it('lets the focus through a whole view, back to the first link', async () => {
    await open('/plugins/chunk-text');
    for (const name of ['Delete', 'Save config', 'Copy the id'])
      await page.getByRole('button', { name }).waitFor();
    // Where the focus is at first depends on the test before.
    await tabTo('Skip to content');
    await press('Tab');
    const passed = await tabTo('Skip to content');
    for (const name of ['Resources', 'Delete', 'INPUT', 'Save config', 'Copy the id'])
      assert.ok(passed.includes(name), `${name} is not among ${passed.join(', ')}`);
    web.assertQuiet();
  });

  for (const [path, button, title] of [
    ['/plugins', 'Register HTTP plugin', 'Register HTTP plugin'],
    ['/plugins/chunk-text', 'Delete', 'Delete this plugin?'],
    ['/resources', 'Add resources', 'Add resources'],
  ] as const) {
    it(`has dialogs that trap the focus, close with Escape and return it: ${title}`, async () => {
      await open(path);
      await page.getByRole('button', { name: button }).waitFor();
      await tabTo(button);
      await press('Enter');
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      const holdsFocus = (): Promise<boolean> =>
        dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement));
      await eventually(holdsFocus);
      for (let stops = 0; stops < 12; stops++) {
        await press('Tab');
        assert.ok(await holdsFocus());
      }
      await press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await eventually(async () => (await focused()) === button);
      web.assertQuiet();
    });
  }

  it('adds a URL by keyboard alone', async () => {
    await open('/resources');
    await page.getByRole('link', { name: 'notes.md' }).waitFor();
    await tabTo('Add resources');
    await press('Enter');
    const urls = page.getByRole('textbox', { name: 'URLs, one per line' });
    await urls.waitFor();
    for (
      let stops = 0;
      stops < 10 && !(await urls.evaluate((box) => box === box.ownerDocument.activeElement));
      stops++
    )
      await press('Tab');
    await page.keyboard.type('https://example.com/typed');
    await tabTo('Add 1 resource');
    await press('Enter');
    // The dialog links to it as well, before the table or after.
    await page.getByRole('table', { name: 'Resources' }).getByRole('link', { name: 'typed' }).waitFor();
    web.assertQuiet();
  });

  it('links back from an unknown path, lists its shortcuts under "?", and follows them', async () => {
    await open('/resources');
    // The service sends the page for this path, too.
    await page.goto(`${service.api}/nowhere/at/all`);
    await page.evaluate('globalThis.isSameDocument = true');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Back to resources' }).click();
    await page.getByRole('link', { name: 'notes.md' }).waitFor();
    await press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Search all documents').waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press('g', 'o');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(await page.evaluate('globalThis.isSameDocument'), true);
    web.assertQuiet(404);
  });

  it('reads and changes while the browser believes it is offline, and repeats what failed once it is online', async () => {
    await service.client.upload('without-a-pipeline', { text: 'Offline' });
    await open('/resources');
    await page.getByRole('button', { name: 'Actions for Offline.txt' }).waitFor();
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await page.getByRole('button', { name: 'Actions for Offline.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Offline.txt\u2069” was deleted').waitFor();
    await page.getByRole('link', { name: 'Pipelines' }).click();
    await page.getByRole('link', { name: 'Documents' }).waitFor();

    const keys = /\/api\/v1\/keys/;
    await page.route(keys, (route) => route.abort());
    await page.getByRole('link', { name: 'Keys' }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.getByText('The server cannot be reached').waitFor();
    await page.unroute(keys);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await again.waitFor({ state: 'detached' });
    web.assertQuiet('net::ERR_FAILED');
  });

  it('filters resources on a phone', async () => {
    await open('/resources', { viewport: { width: 390, height: 844 }, hasTouch: true });
    const row = page.getByRole('link', { name: 'notes.md' });
    await row.waitFor();
    const status = page.getByRole('combobox', { name: 'Status' });
    const box = await status.boundingBox();
    assert.ok(
      box !== null && box.x >= 0 && box.x + box.width <= 390 && box.height >= 30,
      JSON.stringify(box),
    );
    await page.setViewportSize({ width: 320, height: 640 });
    const places = await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link')
      .filter({ visible: true })
      .evaluateAll((links) =>
        links.map((link) => [
          link.textContent,
          link.scrollWidth <= link.clientWidth && link.getBoundingClientRect().right <= 320,
        ]),
      );
    assert.deepEqual(
      places,
      ['Resources', 'Pipelines', 'Plugins', 'Overview', 'Keys'].map((place) => [place, true]),
    );
    await status.selectOption('FAILED');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear' }).first().tap();
    await row.waitFor();
    web.assertQuiet();
  });

  it('has an account menu that arrow keys navigate and Escape closes', async () => {
    await open('/resources');
    await page.getByRole('link', { name: 'notes.md' }).waitFor();
    await tabTo('Account: admin');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
    await press('Escape');
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor({ state: 'hidden' });
    await eventually(async () => (await focused()) === 'Account: admin');
    await press('Enter');
    // It is drawn a moment before it has the focus.
    await page.locator('[role="menu"]:focus-within').waitFor();
    await press('End', 'Enter');
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    web.assertQuiet();
  });

  it('keeps the chosen colours, from the first paint on', async () => {
    await open('/resources');
    await page.getByRole('button', { name: 'Account: admin' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const scheme = (): Promise<string> =>
      page.evaluate<string>('document.documentElement.dataset.mantineColorScheme');
    assert.equal(await scheme(), 'dark');
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    assert.equal(await scheme(), 'dark');
    web.assertQuiet('net::ERR_FAILED');
  });
});
