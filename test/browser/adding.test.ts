import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import type { RestClient } from '../support/service/rest-client.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { temporaryFolder } from '../support/temporary.js';
import { startProxiedWebService, type ProxiedWebService } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

const textFile = (name: string, text = `${name} says something.`) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

describe('adding resources on the page', function () {
  const browser = suiteBrowser();
  let service: ProxiedWebService;
  let client: RestClient;
  let site: RemoteSite;
  let web: WebPage;
  let page: Page;

  before(async () => {
    site = await startRemoteSite();
    service = await startProxiedWebService({ KW_URL_ALLOW: site.host });
    ({ client } = service);
  });
  after(() => Promise.all([service.stop(), site.stop()]));
  beforeEach(async () => {
    web = await browser.open(service, '/resources');
    ({ page } = web);
    await page.getByRole('button', { name: 'Add resources' }).first().waitFor();
  });

  const row = (name: string) => page.getByRole('table', { name: 'Resources' }).getByRole('row', { name });
  const dialog = () => page.getByRole('dialog', { name: 'Add resources' });
  const openDialog = () => page.getByRole('button', { name: 'Add resources' }).first().click();
  /** Gives what is added a type without a pipeline: nothing has to process it. */
  const chooseIdleType = (): Promise<void> =>
    dialog().getByRole('combobox', { name: 'Type' }).fill('nothing-yet');
  const named = async (name: string): Promise<number> =>
    (await client.expect(200, 'GET', `/resources?q=${encodeURIComponent(name)}`)).items.length;

  it('adds three files, one of them after a refusal by the rate limit, and shows them completed without a reload', async () => {
    const names = ['one.txt', 'two.md', 'three.csv'];
    await openDialog();
    const chooser = page.waitForEvent('filechooser');
    await dialog().getByLabel('Choose files').click();
    await (await chooser).setFiles(names.map((name) => textFile(name)));
    assert.equal(await dialog().getByRole('list', { name: 'Chosen files' }).getByRole('listitem').count(), 3);
    const type = dialog().getByRole('combobox', { name: 'Type' });
    const steps = dialog().getByRole('list', { name: 'Steps that will run' });
    assert.match(await steps.innerText(), /^extract-text\s+chunk-text/);
    await type.fill('nothing-yet');
    await dialog().getByText('No steps will run').waitFor();
    assert.equal(await steps.count(), 0);
    await type.fill('document');
    await steps.waitFor();
    const isLimited = { status: 429, headers: { 'retry-after': '0' } };
    await page.route('**/api/v1/resources', (route) => route.fulfill(isLimited), { times: 1 });
    await dialog().getByRole('button', { name: 'Add 3 resources' }).click();
    await dialog().getByText('3 added').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    for (const name of names) await row(name).getByText('Completed').waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet(429);
  });

  it('names the resource that already has the same bytes, if the browser can hash them', async () => {
    await openDialog();
    const choose = (name: string): Promise<void> =>
      dialog().getByLabel('Choose files').setInputFiles(textFile(name, 'Bytes that come twice.'));
    const hint = dialog().getByText('The same bytes are already stored as first-of-two.txt.');
    await choose('first-of-two.txt');
    await chooseIdleType();
    await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
    await dialog().getByText('1 added').waitFor();
    await choose('second-of-two.txt');
    await hint.waitFor();
    const { items } = await client.expect(200, 'GET', '/resources?q=first-of-two');
    const link = dialog().getByRole('list', { name: 'Chosen files' }).getByRole('link');
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/resources/${items[0].id}$`));
    await dialog().getByRole('button', { name: 'Remove second-of-two.txt' }).click();
    // As on a page that came without https.
    await page.evaluate("Object.defineProperty(crypto, 'subtle', { value: undefined })");
    await choose('third-of-two.txt');
    await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
    await dialog().getByText('2 added').waitFor();
    assert.equal(await hint.count(), 0);
    web.assertQuiet();
  });

  /** Drops a file of this name on the page; with folders before its name, the outermost folder. Returns its path. */
  const drop = async (path: string): Promise<string> => {
    const root = temporaryFolder();
    const name = basename(path);
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), `${name} was dropped.`);
    const files = [join(root, path.split('/')[0]!)];
    const drag = { x: 600, y: 500, data: { items: [], files, dragOperationsMask: 1 } };
    const devtools = await web.context.newCDPSession(page);
    await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', ...drag });
    await page.getByText('Drop the files to add them').waitFor();
    await devtools.send('Input.dispatchDragEvent', { type: 'dragOver', ...drag });
    await devtools.send('Input.dispatchDragEvent', { type: 'drop', ...drag });
    await page.getByText('Drop the files to add them').waitFor({ state: 'detached' });
    await dialog().getByRole('listitem').filter({ hasText: name }).waitFor();
    return join(root, path);
  };

  it('accepts dropped files and folders on any view, and more while the dialog is open', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'System' }).click();
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await drop('dropped-1.txt');
    await drop('dropped-2.txt');
    await drop('outer/inner/dropped-3.txt');
    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await dialog().getByRole('button', { name: 'Remove dropped-2.txt' }).click();
    await chooseIdleType();
    await dialog().getByRole('button', { name: 'Add 2 resources' }).click();
    await dialog().getByText('2 added').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Resources' }).click();
    for (const name of ['dropped-1.txt', 'dropped-3.txt']) await row(name).waitFor();
    assert.equal(await named('dropped-2.txt'), 0);

    await page.evaluate(`{
      const entry = { name: 'locked.txt', isFile: true, file: (_, reject) => reject(new Error('Locked')) };
      const dataTransfer = { types: ['Files'], items: [{ webkitGetAsEntry: () => entry }] };
      dispatchEvent(Object.assign(new Event('drop'), { dataTransfer }));
    }`);
    await page.getByRole('alert').getByText('1 item could not be read: locked.txt').waitFor();
    web.assertQuiet();
  });

  /** Drops a file without a veil, and without waiting until it is listed. */
  const dropUnseen = (name: string): Promise<void> =>
    page.evaluate(`{
      const entry = { name: '${name}', isFile: true, file: (resolve) => resolve(new File(['Late.'], '${name}')) };
      const dataTransfer = { types: ['Files'], items: [{ webkitGetAsEntry: () => entry }] };
      dispatchEvent(Object.assign(new Event('drop'), { dataTransfer }));
    }`);

  it('keeps all files that are dropped while the dialog loads', async () => {
    let held: Route | undefined;
    await page.route('**/assets/add-content-*', (route) => void (held = route));
    await dropUnseen('early.txt');
    const loading = await eventually(() => held);
    await dropUnseen('earlier.txt');
    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await loading.continue();
    const names = dialog().getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    await names.filter({ hasText: 'early.txt' }).waitFor();
    assert.equal(await names.count(), 2);
    await dropUnseen('later.txt');
    await names.filter({ hasText: 'later.txt' }).waitFor();
    assert.equal(await names.count(), 3);
    web.assertQuiet();
  });

  it('keeps what is unsaved if the dialog loads slowly, or cannot be loaded because the service was updated', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
    await page.getByRole('button', { name: 'New pipeline' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Half a pipeline');
    let update = (): void => undefined;
    const updated = new Promise<void>((resolve) => (update = resolve));
    await page.route('**/assets/add-content-*', async (route) => {
      await updated;
      await route.fulfill({ status: 404 });
    });
    await dropUnseen('late.txt');
    await dialog().getByText('Loading …').waitFor();
    update();
    await dialog().getByText('Usually, the service was updated while the page was open.').waitFor();
    await dialog().getByRole('button', { name: 'Reload the page' }).waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Half a pipeline');
    await web.assertNeverReloaded();
  });

  it('accepts a dropped file although the element below it is replaced all the time', async () => {
    await page.evaluate(`{
      const createCover = () => {
        const cover = document.createElement('div');
        cover.style.position = 'fixed';
        cover.style.inset = '0';
        cover.addEventListener('dragenter', () => cover.replaceWith(createCover()));
        return cover;
      };
      document.body.append(createCover());
    }`);
    await drop('replaced.txt');
  });

  it('accepts pasted URLs, reports invalid lines, and explains why one is rejected', async () => {
    site.handle = ({ url }, response) =>
      response.setHeader('content-type', 'text/html').end(`<title>Of ${url}</title><p>Something to read.`);
    const lines = [
      `${site.url}/news/pasted-one`,
      'not an address',
      `${site.url}/pasted-two`,
      'http://127.0.0.2/inner',
      'http://127.0.0.2/other',
    ];
    await openDialog();
    await dialog().getByLabel('URLs, one per line').click();
    // As a paste does, without the clipboard, which all suites of the shared browser share.
    await page.keyboard.insertText(lines.join('\n'));
    await dialog().getByText('1 line not an http or https address: not an address').waitFor();
    assert.equal(await dialog().getByLabel('Type').inputValue(), 'webpage');
    await dialog().getByRole('button', { name: 'Add 4 resources' }).click();
    await dialog().getByText('2 added, 2 failed').waitFor();
    const firstRows = dialog().getByRole('region', { name: '2 added, 2 failed' }).getByRole('listitem');
    for (const at of [0, 1]) assert.match(await firstRows.nth(at).innerText(), /This address is not allowed/);
    let tries = 0;
    page.on('request', (request) => (tries += request.method() === 'POST' ? 1 : 0));
    await dialog().getByRole('button', { name: 'Retry all 2' }).click();
    await eventually(() => Promise.resolve(tries === 2));
    await dialog().getByText('2 added, 2 failed').waitFor();
    assert.equal(await dialog().getByLabel('URLs, one per line').inputValue(), 'not an address');
    await dialog().getByRole('button', { name: 'Close' }).click();
    for (const name of ['pasted-one', 'pasted-two']) await row(name).getByText('Completed').waitFor();
    await page.getByRole('button', { name: '2 not added' }).waitFor();
    await web.assertNeverReloaded();
    web.assertQuiet(400);
  });

  it('says why a file is not added, and offers to try it again only if that can help', async () => {
    await openDialog();
    await dialog().getByLabel('Choose files').setInputFiles(textFile('empty.txt', ''));
    await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
    await dialog().getByText('Invalid input: file must not be empty.', { exact: true }).waitFor();
    assert.equal(await dialog().getByRole('button', { name: 'Try empty.txt again' }).count(), 0);

    await rm(await drop('removed.txt'));
    await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
    await dialog()
      .getByText('The file cannot be read: It was changed or removed: choose it again.', { exact: true })
      .waitFor();
    assert.equal(await dialog().getByRole('button', { name: 'Try removed.txt again' }).count(), 0);

    await page.route('**/api/v1/resources', (route) => route.fulfill({ status: 204 }), { times: 2 });
    const addUnanswered = async (name: string): Promise<void> => {
      await dialog().getByLabel('Choose files').setInputFiles(textFile(name));
      await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
      await dialog()
        .getByRole('button', { name: `Try ${name} again` })
        .waitFor();
    };
    await addUnanswered('no-answer-1.txt');
    await dialog().getByText('The response 204 does not come from this service.').waitFor();
    assert.equal(
      await dialog()
        .getByRole('button', { name: /^Retry all/ })
        .count(),
      0,
    );
    await addUnanswered('no-answer-2.txt');
    await dialog().getByRole('button', { name: 'Retry all 2' }).click();
    await dialog().getByText('2 added, 2 failed').waitFor();

    // Of many chosen files, the first are listed. Empty ones are not hashed.
    await dialog()
      .getByLabel('Choose files')
      .setInputFiles(Array.from({ length: 1_203 }, (_file, index) => textFile(`${index}.txt`, '')));
    const rows = dialog().getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    await rows.getByText('1,003 more').waitFor();
    assert.equal(await rows.count(), 201);
    web.assertQuiet(400, 'net::ERR_');
  });

  it('shows the progress of an upload, also outside the dialog, asks before closing, and cancels it for good', async () => {
    const devtools = await web.context.newCDPSession(page);
    const throttle = (uploadThroughput: number) =>
      devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await throttle(100_000);
    await openDialog();
    await dialog()
      .getByLabel('Choose files')
      .setInputFiles(textFile('long.txt', 'Long. '.repeat(500_000)));
    await chooseIdleType();
    await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
    const bar = dialog().getByRole('progressbar', { name: 'Upload of long.txt' });
    const percent = async (): Promise<number> => Number(await bar.getAttribute('aria-valuenow'));
    const first = await eventually(async () => {
      const now = await percent();
      return now > 0 && now;
    });
    await eventually(async () => (await percent()) > first);
    assert.ok((await percent()) < 100);
    await dialog()
      .getByText(/^[\d.]+ MB of 3 MB$/)
      .waitFor();

    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Adding 1' }).waitFor();
    const closesAtOnce = (): Promise<boolean> =>
      page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    assert.equal(await closesAtOnce(), false);
    await page.getByRole('button', { name: 'Adding 1' }).click();
    await dialog().getByRole('button', { name: 'Cancel long.txt' }).click();
    await dialog().getByText('Cancelled', { exact: true }).waitFor();
    assert.equal(await closesAtOnce(), true);
    await bar.waitFor({ state: 'detached' });
    await throttle(-1);
    assert.equal(await named('long.txt'), 0);

    await dialog().getByRole('button', { name: 'Try long.txt again' }).click();
    await dialog().getByText('1 added').waitFor();
    assert.equal(await named('long.txt'), 1);
    web.assertQuiet();
  });

  it('adds all files after an outage, each once, although responses were lost or not waited for', async () => {
    await openDialog();
    const names = ['lost-answer.txt', 'cancelled-late.txt', ...[1, 2, 3, 4].map((at) => `behind-${at}.txt`)];
    await dialog()
      .getByLabel('Choose files')
      .setInputFiles(names.map((name) => textFile(name)));
    await service.proxy.set('deafen');
    await dialog().getByRole('button', { name: 'Add 6 resources' }).click();
    for (const name of names.slice(0, 2)) await eventually(async () => (await named(name)) === 1);
    await dialog().getByRole('button', { name: 'Cancel cancelled-late.txt' }).click();
    await dialog().getByText('Cancelled after it was sent: it may have been added').waitFor();
    let checks = 0;
    page.on('requestfailed', (request) => (checks += request.url().endsWith('/session') ? 1 : 0));
    await service.proxy.set('refuse');
    const held = dialog().getByText('Waiting until the server can be reached');
    await eventually(async () => (await held.count()) === 4);
    const before = checks;
    await eventually(() => Promise.resolve(checks >= before + 4));
    await service.proxy.set('pass');
    await dialog().getByText('5 added, 1 cancelled').waitFor();
    await dialog().getByRole('button', { name: 'Try cancelled-late.txt again' }).click();
    await dialog().getByText('6 added').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await row('lost-answer.txt').getByText('Completed').waitFor();
    for (const name of names) assert.equal(await named(name), 1);
    await web.assertNeverReloaded();
    web.assertQuiet('net::ERR_');
  });
});
