import type { Browser } from 'playwright-core';
import { connectBrowser } from './chromium.js';
import { openWebPage, type OpenedPage, type WebPage, type WebPageOptions } from './web-page.js';

/** The browser of a suite. */
export interface SuiteBrowser {
  /** Opens the page as `openWebPage` does, without anything an earlier test stored, and gives it back after the test. */
  open(
    at: { readonly api: string; readonly adminKey: string },
    path: string,
    options?: WebPageOptions,
  ): Promise<WebPage>;
}

/**
 * Connects to the browser before the tests of the suite that calls it, and closes what it opened there after them, before
 * what it looks at. A page that a test has left serves the next one: a new one costs a second.
 */
export function suiteBrowser(): SuiteBrowser {
  const idle = new Map<string, OpenedPage[]>();
  const inUse: { readonly key: string; readonly opened: OpenedPage; isClosed: boolean }[] = [];
  // It starts while the suite starts what it looks at.
  let connecting: Promise<Browser>;
  before(() => {
    connecting = connectBrowser();
    connecting.catch(() => undefined);
  });
  afterEach(() => {
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
