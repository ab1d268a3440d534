import type { Browser } from 'playwright-core';
import { connectBrowser } from './chromium.js';
import { openWebPage, type OpenedPage, type WebPage, type WebPageOptions } from './web-page.js';

/** The browser of a suite. */
export interface SuiteBrowser {
  /** Opens the page like `openWebPage`, without stored data of earlier tests. Takes the page back after the test. */
  open(
    at: { readonly api: string; readonly adminKey: string },
    path: string,
    options?: WebPageOptions,
  ): Promise<WebPage>;
}

/**
 * Connects to the browser before the tests of the calling suite. Afterwards closes what it opened there, before the
 * service it shows. Pages are reused between tests, because a new one takes a second.
 */
export function suiteBrowser(): SuiteBrowser {
  const idle = new Map<string, OpenedPage[]>();
  const inUse: { readonly key: string; readonly opened: OpenedPage; isClosed: boolean }[] = [];
  // Starts while the suite starts its service.
  let connecting: Promise<Browser>;
  before(() => {
    connecting = connectBrowser();
    connecting.catch(() => undefined);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      for (const { opened, isClosed } of inUse) if (!isClosed) console.error(await visibleText(opened));
    for (const { key, opened, isClosed } of inUse.splice(0))
      if (!isClosed) idle.set(key, [...(idle.get(key) ?? []), opened]);
  });
  after(async () => (await connecting).close());
  return {
    async open(at, path, options = {}) {
      const key = JSON.stringify([at.api, { ...options, apiKey: options.apiKey === null }]);
      const { web, opened } = await openWebPage(await connecting, at, path, options, idle.get(key)?.pop());
      const use = { key, opened, isClosed: false };
      inUse.push(use);
      return {
        ...web,
        async close() {
          use.isClosed = true;
          await web.close();
        },
      };
    },
  };
}

/** What a page shows, to explain a failed test. */
async function visibleText({ page }: OpenedPage): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  return `${page.url()} showed:\n${text.slice(0, 3_000)}\n`;
}
