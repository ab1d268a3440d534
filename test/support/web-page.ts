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

/** What a page waits for on a machine that is busy with other things. */
const patienceMs = 60_000;

/**
 * Opens the page at a path such as `/resources`, in light colours, 1300 pixels wide, logged in by a session that the
 * service gave to this very browser.
 */
export async function openWebPage(
  browser: Browser,
  { api, adminKey }: { readonly api: string; readonly adminKey: string },
  path: string,
  { apiKey = adminKey, ...options }: WebPageOptions = {},
): Promise<WebPage> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
  context.setDefaultTimeout(patienceMs);
  if (apiKey !== null) {
    const answer = await context.request.post(`${api}/api/v1/session`, { data: { api_key: apiKey } });
    assert.equal(answer.status(), 201, await answer.text());
    // A log-in by the page leaves this hint: without it the front door asks nobody who one is.
    await context.addInitScript("localStorage.setItem('kw-session', '1')");
  }
  // A policy that only reports would print nothing.
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('Policy violated:', event.effectiveDirective, event.blockedURI, event.sample))`);
  const page = await context.newPage();
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
  return {
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
}
