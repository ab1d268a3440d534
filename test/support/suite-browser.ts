import type { Browser } from 'playwright-core';
import { launchBrowser } from './chromium.js';
import { openWebPage, type WebPage, type WebPageOptions } from './web-page.js';

/** The browser of a suite. */
export interface SuiteBrowser {
  /** Opens the page as `openWebPage` does, and closes it after the test. */
  open(
    at: { readonly api: string; readonly adminKey: string },
    path: string,
    options?: WebPageOptions,
  ): Promise<WebPage>;
}

/** Launches a browser before the tests of the suite that calls it, and closes it after them, before what it looks at. */
export function suiteBrowser(): SuiteBrowser {
  let browser: Browser;
  const opened: WebPage[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((web) => web.close()));
  });
  after(() => browser.close());
  return {
    async open(at, path, options) {
      const web = await openWebPage(browser, at, path, options);
      opened.push(web);
      return web;
    },
  };
}
