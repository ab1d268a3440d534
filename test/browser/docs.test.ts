import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { routes } from '../../api/routes/index.js';
import { startApi, type TestApi } from '../support/api.js';
import { connectBrowser } from '../support/chromium.js';
import { eventually } from '../support/eventually.js';

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

  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
    context = await browser.newContext(options);
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    requests = [];
    messages = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`${api.base}/docs`);
  };
  afterEach(() => context.close());

  /** The operation, opened to be tried. */
  const openTrial = async (operationId: string): Promise<ReturnType<Page['locator']>> => {
    const article = page.locator(`#${operationId}`);
    await article.getByText('Try it').click();
    return article;
  };

  it('shows every operation, says who one is, and asks its own origin alone', async () => {
    await open();
    for (const { operationId } of routes)
      assert.equal(await page.locator(`article#${operationId} h3`).count(), 1, operationId);
    assert.match(
      await page.locator('#access-state').innerText(),
      /Not logged in: log in at \/ or paste a key/,
    );
    assert.deepEqual(messages, []);
    assert.deepEqual([...new Set(requests.map((url) => new URL(url).origin))], [api.base]);
    assert.ok(requests.some((url) => /\/docs\/assets\/[0-9a-f]{16}\/main\.js$/.test(url)));
  });

  for (const [colorScheme, width] of [
    ['light', 1300],
    ['dark', 390],
  ] as const) {
    it(`has nothing that axe finds, ${colorScheme} and ${width} pixels wide`, async () => {
      await open({ colorScheme, viewport: { width, height: 900 } });
      // One of each kind: a query, a form, the token of an attempt, a schema of many levels.
      for (const id of ['listResources', 'registerResource', 'reportStep', 'claimAttempt'])
        for (const details of await page.locator(`#${id} > details > summary`).all()) await details.click();
      await page.locator('#access-key').fill(await api.key('read'));
      const article = page.locator('#listResources');
      await article.getByRole('button', { name: 'Send' }).click();
      await article.getByText('200 OK').waitFor();
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe: runner } = globalThis as unknown as { axe: typeof axe };
        const found = await runner.run();
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
      });
      assert.deepEqual(violations, []);
      assert.deepEqual(messages, []);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the window`);
    });
  }

  it('tries a call with a key that is pasted', async () => {
    await api.upload({ name: 'Archive handbook' });
    await open();
    await page.getByLabel('API key').fill(await api.key('read'));
    assert.match(await page.locator('#access-state').innerText(), /with the key you pasted/);
    const article = await openTrial('listResources');
    await article.getByLabel('q query').fill('handbook');
    await article.getByLabel('include query').fill('steps,artifacts');
    await article.getByRole('button', { name: 'Send' }).click();
    await article.getByText('200 OK').waitFor();
    const shown = JSON.parse(await article.getByRole('region', { name: 'Answer' }).innerText());
    assert.deepEqual(
      shown.items.map(({ name }: { name: string }) => name),
      ['Archive handbook'],
    );
    assert.ok(requests.some((url) => url.endsWith('/api/v1/resources?q=handbook&include=steps%2Cartifacts')));
    assert.deepEqual(messages, []);
  });

  it('says what to do when nobody is logged in', async () => {
    await open();
    const article = await openTrial('listResources');
    await article.getByRole('button', { name: 'Send' }).click();
    await article.getByText('401 Unauthorized').waitFor();
    await article.getByText('Not logged in: log in at / or paste a key.').waitFor();
  });

  it('sends the cookie of a session when there is no key, and asks whose it is', async () => {
    await open();
    const url = api.base;
    await context.addCookies([
      { name: 'kw_session', value: 'a-session', url, httpOnly: true, sameSite: 'Strict' },
    ]);
    const account = { api_key: { id: 'a', name: 'Ada', scopes: ['write'] }, expires_at: null };
    await page.route('**/api/v1/session', (route) => route.fulfill({ json: account }));
    await page.reload();
    await page.getByText('Logged in with the key Ada (write).').waitFor();
    const article = await openTrial('getResource');
    await article.getByLabel('id path').fill('none');
    const sent = page.waitForRequest('**/api/v1/resources/none');
    await article.getByRole('button', { name: 'Send' }).click();
    const headers = await (await sent).allHeaders();
    assert.equal(headers['cookie'], 'kw_session=a-session');
    assert.equal(headers['authorization'], undefined);
  });

  it('uploads a file, edits what came, and shows both as commands', async () => {
    await open();
    const key = await api.key('write');
    await page.getByLabel('API key').fill(key);
    const register = await openTrial('registerResource');
    await register.getByLabel('Media type').selectOption('multipart/form-data');
    assert.equal(await register.getByLabel('name form').inputValue(), 'Archive handbook');
    const buffer = Buffer.from('A handbook.');
    await register
      .getByLabel('file form')
      .setInputFiles({ name: 'handbook.txt', mimeType: 'text/plain', buffer });
    await register.getByRole('button', { name: 'Send' }).click();
    await register.getByText('201 Created').waitFor();
    const { id, size_bytes } = JSON.parse(await register.getByRole('region', { name: 'Answer' }).innerText());
    assert.equal(size_bytes, buffer.byteLength);

    const edit = await openTrial('updateResource');
    await edit.getByLabel('id path').fill(id);
    await edit.getByLabel('Body').fill('{"name": "It’s another"}');
    await edit.getByRole('button', { name: 'Send' }).click();
    await edit.getByText('200 OK').waitFor();
    assert.equal((await api.call('GET', `/resources/${id}`)).body.name, 'It’s another');
    await edit.getByText('As a command').click();
    const command = await edit.getByText('curl').innerText();
    assert.match(command, /-X PATCH/);
    assert.match(command, /Bearer \$KW_KEY/);
    assert.ok(!command.includes(key));

    const remove = await openTrial('deleteResource');
    await remove.getByLabel('id path').fill(id);
    await remove.getByRole('button', { name: 'Send' }).click();
    await remove.getByText('204 No Content').waitFor();
    assert.deepEqual(messages, []);
  });

  it('fills in the example that is chosen', async () => {
    await open();
    const article = await openTrial('reportStep');
    await article.getByLabel('Example').selectOption('Failure for good');
    const body = JSON.parse(await article.getByLabel('Body').inputValue());
    assert.equal(body.error.retryable, false);
  });

  it('shows a stream as it comes, until it is stopped, and lets bytes be saved', async () => {
    await open();
    // What the service has no route for yet: a stream that does not end, and bytes.
    await page.evaluate(() => {
      const { fetch } = globalThis;
      globalThis.fetch = (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        if (pathname === '/metrics') {
          const body = new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('event: ready\ndata: {}\n\n'));
              init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
            },
          });
          return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
        }
        if (pathname === '/health/live') {
          const headers = { 'content-type': 'application/pdf' };
          return Promise.resolve(new Response(new Uint8Array([1, 2, 3]), { headers }));
        }
        return fetch(input, init);
      };
    });
    const stream = await openTrial('getMetrics');
    await stream.getByRole('button', { name: 'Send' }).click();
    await eventually(async () =>
      /event: ready/.test(await stream.getByRole('region', { name: 'Answer' }).innerText()),
    );
    await stream.getByRole('button', { name: 'Stop' }).click();
    await stream.getByText('Stopped.').waitFor();
    assert.match(await stream.getByRole('region', { name: 'Answer' }).innerText(), /event: ready/);

    const bytes = await openTrial('checkLiveness');
    await bytes.getByRole('button', { name: 'Send' }).click();
    await bytes.getByText('3 bytes of application/pdf.').waitFor();
    const saved = page.waitForEvent('download');
    await bytes.getByRole('button', { name: 'Save it' }).click();
    assert.equal((await saved).suggestedFilename(), 'answer.pdf');
    assert.deepEqual(messages, []);
  });

  it('is read by keyboard: the first stop skips to the operations', async () => {
    await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(new URL(page.url()).hash, '#main');
  });

  it('is read without scripts', async () => {
    await open({ javaScriptEnabled: false });
    await page.getByText('Operations are tried by a script, which does not run here.').waitFor();
    assert.equal(await page.locator('#listResources button').first().isDisabled(), true);
  });
});
