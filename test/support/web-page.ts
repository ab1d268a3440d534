import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface WebPageOptions extends Pick<
  BrowserContextOptions,
  'colorScheme' | 'viewport' | 'reducedMotion' | 'permissions' | 'hasTouch'
> {
  /** Whose session the browser has: the admin key's unless it is said; null for nobody's. */
  readonly apiKey?: string | null;
}

/** The page in a browser context of its own, and everything that it says and asks for. */
export interface WebPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console printed, errors that nobody caught, violations of the policy, and dialogs, as they came. */
  readonly messages: readonly string[];
  /** The URL of every request. */
  readonly requests: readonly string[];
  /**
   * Asserts that nothing was said, and nobody asked but the page's own origin. Chromium prints a line of its own for an
   * answer of 4xx or 5xx and for one that does not come.
   *
   * @param provoked The statuses of those that the test provoked, or the names of errors such as net::ERR_FAILED
   */
  assertQuiet(...provoked: readonly (number | `net::${string}`)[]): void;
  /** Asserts that all that was shown came without the document being loaded again. */
  assertNeverReloaded(): Promise<void>;
  close(): Promise<void>;
}

const viewport = { width: 1300, height: 900 };

/** What a page waits for on a machine that is busy with other things. */
const patienceMs = 60_000;

/** A page in a context of its own, which may be used again. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
}

/**
 * Opens the page at a path such as `/resources`, in light colours, 1300 pixels wide, logged in by a session that the
 * service gave to this very browser.
 *
 * @param left A page that was opened with the same options and is free again. It is reset; only its caches stay.
 */
export async function openWebPage(
  browser: Browser,
  { api, adminKey }: { readonly api: string; readonly adminKey: string },
  path: string,
  { apiKey = adminKey, ...options }: WebPageOptions = {},
  left?: OpenedPage,
): Promise<{ readonly web: WebPage; readonly opened: OpenedPage }> {
  const opened = left ?? (await newPage(browser, options, apiKey !== null));
  const { page, context } = opened;
  if (left !== undefined) await forget(left, api, options);
  if (apiKey !== null) {
    const answer = await context.request.post(`${api}/api/v1/session`, { data: { api_key: apiKey } });
    assert.equal(answer.status(), 201, await answer.text());
  }
  const messages: string[] = [];
  const requests: string[] = [];
  let navigations = 0;
  page.on('request', (request) => {
    requests.push(request.url());
    if (request.isNavigationRequest()) navigations++;
  });
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(`Uncaught: ${error.message}`));
  page.on('dialog', (dialog) => {
    messages.push(`Dialog: ${dialog.type()} ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${api}${path}`);
  await page.evaluate('globalThis.isFirstDocument = true');
  const web: WebPage = {
    page,
    context,
    messages,
    requests,
    assertQuiet(...provoked) {
      const isProvoked = (message: string): boolean =>
        message.startsWith('Failed to load resource: ') &&
        provoked.some((what) => message.includes(typeof what === 'number' ? ` a status of ${what} ` : what));
      assert.deepEqual(
        messages.filter((message) => !isProvoked(message)),
        [],
      );
      assert.deepEqual([...new Set(requests.map((url) => new URL(url).origin))], [new URL(api).origin]);
    },
    async assertNeverReloaded() {
      assert.equal(await page.evaluate('globalThis.isFirstDocument'), true);
      assert.equal(navigations, 1);
    },
    close: () => context.close(),
  };
  return { web, opened };
}

async function newPage(
  browser: Browser,
  options: Omit<WebPageOptions, 'apiKey'>,
  isLoggedIn: boolean,
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patienceMs);
  // The log-in form leaves this hint. Without it, the path / does not ask the service for a session.
  if (isLoggedIn) await context.addInitScript("localStorage.setItem('kw-session', '1')");
  // A policy that only reports would print nothing.
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('Policy violated:', event.effectiveDirective, event.blockedURI, event.sample))`);
  return { context, page: await context.newPage() };
}

/** Resets a page: cookies, local storage, routes, permissions, listeners and size. */
async function forget(
  { page, context }: OpenedPage,
  api: string,
  options: Omit<WebPageOptions, 'apiKey'>,
): Promise<void> {
  page.removeAllListeners();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto('about:blank');
  await Promise.all([context.unrouteAll(), page.unrouteAll(), context.clearCookies()]);
  await context.clearPermissions();
  if (options.permissions !== undefined) await context.grantPermissions(options.permissions);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin: api, storageTypes: 'local_storage' });
  await devtools.detach();
  await page.setViewportSize(options.viewport ?? viewport);
}
