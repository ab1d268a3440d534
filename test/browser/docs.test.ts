import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { routes } from '../../api/routes/index.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { connectBrowser } from '../support/browser/chromium.js';
import { openOperation, trimDocument } from '../support/browser/docs-page.js';

describe('the page /docs in a browser', function () {
  let api: TestApi;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the page asked for, and what the console said of it. */
  let requests: string[];
  let messages: string[];

  before(async () => {
    api = await startApi();
    browser = await connectBrowser();
  });
  after(async () => {
    await browser.close();
    await api.stop();
  });

  /** Opens the page, with these operations only if there are any. */
  const open = async (...operationIds: readonly string[]): Promise<void> => {
    context = await browser.newContext({ colorScheme: 'light', viewport: { width: 1300, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    requests = [];
    messages = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    if (operationIds.length > 0) await trimDocument(page, ...operationIds);
    await page.goto(`${api.base}/docs`);
    await operationOf('Resources-listResources').waitFor();
  };
  afterEach(() => context.close());

  const operationOf = (id: string): Locator => page.locator(`#operations-${id}`);

  const authorize = async (key: string): Promise<void> => {
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').first().fill(key);
    await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  };

  /** Sends the request of an operation, and reads the body that comes. */
  const execute = async (operation: Locator, status: number): Promise<string> => {
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.locator('.response-col_status', { hasText: String(status) }).waitFor();
    return status === 204 ? '' : await answer.locator('.highlight-code code').first().innerText();
  };

  const assertFits = async (): Promise<void> => {
    for (const width of [1300, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(overflow <= 0, `at ${width} pixels the page is ${overflow} pixels wider than the window`);
    }
  };

  /** What axe finds by these tags or rules. */
  const violations = (type: 'tag' | 'rule', ...values: string[]): Promise<string[]> =>
    page.evaluate(
      async (runOnly) => {
        const { axe: runner } = globalThis as unknown as { axe: typeof axe };
        const found = await runner.run({
          runOnly,
          // What passes is not described: that would take twice the time.
          resultTypes: ['violations'],
          // Swagger UI puts the button that copies a path into the button that opens an operation.
          rules: { 'nested-interactive': { enabled: false } },
        });
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
      },
      { type, values } as const,
    );

  it('shows every operation, fits into narrow windows, and calls only its own origin', async () => {
    await open();
    for (const { operationId } of routes.filter(({ path }) => path !== '/mcp'))
      assert.equal(await page.locator(`.opblock[id$="-${operationId}"]`).count(), 1, operationId);
    assert.match(await page.getByRole('status').innerText(), /Not logged in: log in/);
    await assertFits();
    assert.deepEqual(messages, []);
    assert.deepEqual([...new Set(requests.map((url) => new URL(url).origin))], [api.base]);
    await page.getByRole('link', { name: 'Back to the Knowledge Warehouse' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/docs'));
  });

  it('breaks only one rule of WCAG 2.1 AA', async () => {
    // One of each kind: a query, a form, the token of an attempt, a schema of many levels. And one of each method.
    const opened = ['Resources-registerResource', 'Workers-reportStep', 'Workers-claimAttempt'];
    const closed = ['updateResource', 'toggleResource', 'deleteResource'];
    await open('listResources', ...closed, ...opened.map((id) => id.split('-')[1]!));
    for (const id of opened) await openOperation(page, id);
    await authorize(await api.key('read'));
    await execute(await openOperation(page, 'Resources-listResources'), 200);
    // axe must not see a color in the middle of a transition.
    await page.evaluate(`${axe.source}
      const still = new CSSStyleSheet();
      still.replaceSync('*, *::before, *::after { transition: none !important }');
      document.adoptedStyleSheets.push(still);`);
    assert.deepEqual(await violations('tag', 'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'), []);
    // The scheme changes the colors and nothing else.
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    assert.deepEqual(await violations('rule', 'color-contrast'), []);
    await assertFits();
    assert.deepEqual(messages, []);
    assert.deepEqual([...new Set(requests.map((url) => new URL(url).origin))], [api.base]);
  });

  it('uploads, edits, deletes and opens an endless stream with a pasted key', async () => {
    await open('listResources', 'registerResource', 'updateResource', 'deleteResource', 'followEvents');
    const stream = await openOperation(page, 'Events-followEvents');
    assert.match(await execute(stream, 401), /UNAUTHENTICATED/);
    await authorize(await api.key('write'));

    const register = await openOperation(page, 'Resources-registerResource');
    await register.locator('.body-param-content-type select').selectOption('multipart/form-data');
    const buffer = Buffer.from('A handbook.');
    await register
      .locator('input[type=file]')
      .setInputFiles({ name: 'handbook.txt', mimeType: 'text/plain', buffer });
    for (const [name, value] of [
      ['name', 'Handbook'],
      ['type', 'document'],
    ] as const)
      await register.locator(`[data-property-name="${name}"] input`).fill(value);
    const { id, size_bytes } = JSON.parse(await execute(register, 201));
    assert.equal(size_bytes, buffer.byteLength);

    const edit = await openOperation(page, 'Resources-updateResource');
    await edit.locator('[data-param-name="id"] input').fill(id);
    await edit.locator('textarea').fill('{"name": "It’s another"}');
    assert.equal(JSON.parse(await execute(edit, 200)).name, 'It’s another');
    assert.equal((await api.call('GET', `/resources/${id}`)).body.name, 'It’s another');

    const remove = await openOperation(page, 'Resources-deleteResource');
    await remove.locator('[data-param-name="id"] input').fill(id);
    await execute(remove, 204);

    await stream.getByRole('button', { name: 'Execute' }).click();
    await stream.locator('.live-responses-table').getByText('retry: 2000').first().waitFor();
  });
});
