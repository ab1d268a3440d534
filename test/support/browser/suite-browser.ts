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
 *
 * @param options `keepsDocument`: a test continues in the document of the one before if that passed; see `leaveForLogin`
 */
export function suiteBrowser({ keepsDocument = false } = {}): SuiteBrowser {
  interface Use {
    readonly key: string;
    readonly opened: OpenedPage;
    isClosed: boolean;
  }
  const idle = new Map<string, Use[]>();
  const inUse: Use[] = [];
  // Starts while the suite starts its service.
  let connecting: Promise<Browser>;
  before(() => {
    connecting = connectBrowser();
    connecting.catch(() => undefined);
  });
  afterEach(async function () {
    const hasFailed = this.currentTest?.state === 'failed';
    for (const use of inUse.splice(0).filter(({ isClosed }) => !isClosed)) {
      if (!hasFailed) {
        idle.set(use.key, [...(idle.get(use.key) ?? []), use]);
        continue;
      }
      console.error(await visibleText(use.opened));
      // It may have a clock, colours or a slow network that the test could not take back.
      await use.opened.context.close();
    }
  });
  after(async () => (await connecting).close());
  return {
    async open(at, path, options = {}) {
      const key = JSON.stringify([at.api, { ...options, apiKey: options.apiKey === null }]);
      const last = idle.get(key)?.pop();
      const left = last && {
        ...last.opened,
        keepsDocument: keepsDocument && options.apiKey !== null,
      };
      const { web, opened } = await openWebPage(await connecting, at, path, options, left);
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
