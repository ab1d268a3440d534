import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { leaveForLogin } from './same-document.js';

export interface WebPageOptions extends Pick<
  BrowserContextOptions,
  'colorScheme' | 'viewport' | 'reducedMotion' | 'permissions' | 'hasTouch'
> {
  /** The key whose session the browser has; default: the admin key. Null: no session. */
  readonly apiKey?: string | null;
}

/** The page in its own browser context, with all its messages and requests. */
export interface WebPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console output, uncaught errors, policy violations, and dialogs, in order. */
  readonly messages: readonly string[];
  /** The URL of every request. */
  readonly requests: readonly string[];
  /**
   * Asserts that there were no messages, and no requests to other origins. Chromium itself logs a line for each 4xx or
   * 5xx response and each failed request.
   *
   * @param provoked The expected ones: statuses, or the names of errors such as net::ERR_FAILED
   */
  assertQuiet(...provoked: readonly (number | `net::${string}`)[]): void;
  /** Asserts that the document was never reloaded. */
  assertNeverReloaded(): Promise<void>;
  close(): Promise<void>;
}

const viewport = { width: 1300, height: 900 };

/** Milliseconds to wait for a page, for busy machines. */
const patienceMs = 60_000;

/** A page in its own context, which may be reused. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** A free page that was opened with the same options. */
export interface FreePage extends OpenedPage {
  /** Whether its document may stay. */
  readonly keepsDocument: boolean;
}

/**
 * Opens the page at a path such as `/resources`, in the light theme, 1300 pixels wide, logged in with a session that
 * the service created for this browser.
 *
 * @param left A free page to reuse. It is reset; its caches stay, and the document if it may.
 */
export async function openWebPage(
  browser: Browser,
  { api, adminKey }: { readonly api: string; readonly adminKey: string },
  path: string,
  { apiKey = adminKey, ...options }: WebPageOptions = {},
  left?: FreePage,
): Promise<{ readonly web: WebPage; readonly opened: OpenedPage }> {
  const opened = left ?? (await newPage(browser, options, apiKey !== null));
  const { page, context } = opened;
  if (left !== undefined) await release(left, options);
  const show = left?.keepsDocument === true ? await leaveForLogin(page, path) : null;
  if (left !== undefined) {
    if (show === null) await forget(page, api);
    // A document that stays may have logged out, or in as somebody else.
    await context.clearCookies();
  }
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
  const loads = show === null ? 1 : 0;
  await (show?.() ?? page.goto(`${api}${path}`));
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
      assert.equal(navigations, loads);
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
  // The login form leaves this hint. Without it, the path / does not ask the service for a session.
  if (isLoggedIn)
    await context.addInitScript("if (location.pathname !== '/login') localStorage['kw-session'] ??= '1'");
  // Report-only violations are not printed otherwise.
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('Policy violated:', event.effectiveDirective, event.blockedURI, event.sample))`);
  return { context, page: await context.newPage() };
}

/** Resets what a test has set of a page: routes, permissions, listeners and size. */
async function release(
  { page, context }: OpenedPage,
  options: Omit<WebPageOptions, 'apiKey'>,
): Promise<void> {
  page.removeAllListeners();
  for (const other of context.pages()) if (other !== page) await other.close();
  await Promise.all([context.unrouteAll(), page.unrouteAll()]);
  await context.clearPermissions();
  if (options.permissions !== undefined) await context.grantPermissions(options.permissions);
  await page.setViewportSize(options.viewport ?? viewport);
}

/** Removes the document and its local storage. */
async function forget(page: Page, api: string): Promise<void> {
  // Not about:blank, which ends the renderer: the next one would have to start, and compile the page's code.
  await page.goto(`${api}/health/live`);
  await page.evaluate('localStorage.clear()');
}
