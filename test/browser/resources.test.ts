import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { eventually } from '../support/eventually.js';
import { drawn, prepareAxe, violations } from '../support/browser/axe.js';
import { clickTwice } from '../support/browser/interactions.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import type { WebPage } from '../support/browser/web-page.js';
import type { ArrivedStep } from '../support/workers/http-worker.js';
import { startNotesService, type NotesService } from '../support/browser/web-service.js';

/** Two more than a page shows. */
const memos = 52;
const numbered = (at: number): string => `Memo ${String(at).padStart(2, '0')}`;
const failure = { status: 'FAILURE', error: { code: 'OUT_OF_INK', message: 'No ink.', retryable: false } };

describe('the list of resources on the page', function () {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: NotesService;
  let web: WebPage;
  let page: Page;

  before(async () => {
    service = await startNotesService({ max_attempts: 1, timeout_seconds: 120 });
    await insert('memo', between(memos, 1));
  });
  after(() => service.stop());

  /** Inserts resources to which nothing happens, the newest first. */
  const insert = async (type: string, names: readonly string[]): Promise<void> => {
    await service.core.deps.db.raw(
      `insert into resources (id, name, type, source_type, object_key, size_bytes, status, run, created_at)
       select gen_random_uuid(), name, ?, 'UPLOAD', name, n, 'PENDING', 0, now() - n * interval '1 second'
       from unnest(cast(? as text[])) with ordinality as given (name, n)`,
      [type, [...names]],
    );
  };
  const register = async (name: string, type = 'note'): Promise<string> => {
    const form = new FormData();
    form.set('name', name);
    form.set('type', type);
    form.set('file', new Blob([name]), 'note.txt');
    return (await service.client.expect(201, 'POST', '/resources', form)).id;
  };
  const open = async (path = '/resources'): Promise<void> => {
    web = await browser.open(service, path);
    ({ page } = web);
    await table().waitFor();
  };
  const table = () => page.getByRole('table', { name: 'Resources' });
  // By its text: computing the names of all rows takes the browser longer than drawing them.
  const row = (name: string) => table().locator('tr').filter({ hasText: name });
  const dialog = () => page.getByRole('dialog');
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click();
  };
  /** Waits until the list shows these, in this order. */
  const shows = async (...names: readonly string[]): Promise<void> => {
    let shown: readonly string[] = [];
    await eventually(async () => {
      shown = await table().getByRole('link').allTextContents();
      return shown.join() === names.join();
    }).catch(() => assert.deepEqual(shown, names));
  };
  /** What axe finds in a part of the page, in the light and the dark scheme. */
  const accessibilityProblems = async (part: Locator): Promise<readonly string[]> => {
    await prepareAxe(page);
    const light = await violations(page, 'all', part);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await drawn(page);
    const dark = await violations(page, 'colours', part);
    await page.emulateMedia({ colorScheme: 'light' });
    return [...light, ...dark];
  };
  const between = (newest: number, oldest: number): readonly string[] =>
    Array.from({ length: newest - oldest + 1 }, (_, at) => numbered(newest - at));

  it('is searched while typing and filtered, and keeps both in the URL', async () => {
    await open();
    const search = page.getByRole('searchbox', { name: 'Filter resources by name' });
    await search.fill('emo 9');
    await page.getByRole('button', { name: 'Clear the name' }).click();
    await page.keyboard.type('emo 4');
    await shows(...between(49, 40));
    await page.keyboard.type('2');
    await shows('Memo 42');
    assert.equal(new URL(page.url()).search, '?q=emo+42');
    await page.keyboard.press('Escape');
    await shows(...between(52, 3));
    assert.equal(await search.inputValue(), '');

    await page.getByRole('combobox', { name: 'Status' }).selectOption('Completed');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await shows(...between(52, 3));
    await service.client.expect(200, 'PUT', `/resources/${await idOf('Memo 33')}/toggle`, {
      is_enabled: false,
    });
    await page.getByRole('combobox', { name: 'Enabled' }).selectOption('Disabled');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await page.getByRole('combobox', { name: 'Source' }).selectOption('Files');
    await shows('Memo 33');
    const { pathname, search: address } = new URL(page.url());
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await shows(...between(52, 3));

    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await search.pressSequentially('emo 42');
    await shows('Memo 42');
    await page.goBack();
    await shows(...between(52, 3));
    assert.equal(await search.inputValue(), '');
    await web.assertNeverReloaded();

    await page.goto(service.api + pathname + address);
    await shows('Memo 33');
    assert.equal(await page.getByRole('combobox', { name: 'Enabled' }).inputValue(), 'false');
    web.assertQuiet();
  });
  const idOf = async (name: string): Promise<string> =>
    (await service.client.expect(200, 'GET', `/resources?q=${encodeURIComponent(name)}`)).items[0].id;

  it('has pages, and links back', async () => {
    await open();
    await shows(...between(52, 3));
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('button', { name: 'Next' }).click();
    await shows(...between(2, 1));
    assert.equal(await page.evaluate('scrollY'), 0);
    await pages.getByText('2 of 52').waitFor();
    assert.equal(await pages.getByRole('button', { name: 'Next' }).count(), 0);
    await pages.getByRole('button', { name: 'Back' }).click();
    await shows(...between(52, 3));
    await pages.getByRole('button', { name: 'Next' }).click();
    await shows(...between(2, 1));
    await pages.getByRole('button', { name: 'First' }).click();
    await shows(...between(52, 3));
    await page.goto(`${service.api}/resources?cursor=outdated&sort=bogus`);
    await page.getByRole('button', { name: 'Show all resources' }).click();
    await shows(...between(52, 3));
    web.assertQuiet(400);
  });

  it('keeps a selection while pages change and resources arrive, until the filter changes', async () => {
    await open('/resources?type=memo');
    const bar = page.getByRole('toolbar', { name: 'Selected resources' });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await page.getByRole('checkbox', { name: 'Select Memo 52' }).click();
    await pages.getByRole('button', { name: 'Next' }).click();
    await shows(...between(2, 1));
    await page.getByRole('checkbox', { name: 'Select Memo 01' }).click();
    await bar.getByText('2 resources selected').waitFor();
    await bar.getByRole('button', { name: 'Disable' }).click();
    await dialog().getByRole('button', { name: 'Disable 2' }).click();
    await page.getByText('2 resources disabled').waitFor();
    // What the page does not show may have been disabled before.
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    const disabled = { type: 'memo', is_enabled: false };
    await service.client.expect(202, 'POST', '/operations', { action: 'enable', filter: disabled });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await bar.getByText('2 resources selected').waitFor();

    await pages.getByRole('button', { name: 'Back' }).click();
    await shows(...between(52, 3));
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await bar.getByText('52 resources selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 52 that match' }).click();
    const late = await register('Late', 'memo');
    await bar.getByText('All 53 matching resources are selected').waitFor();
    assert.equal(await page.getByRole('checkbox', { name: 'Select Late' }).isChecked(), true);
    await page.getByRole('checkbox', { name: 'Select Late' }).click();
    await bar.getByText('49 resources selected').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await bar.waitFor({ state: 'detached' });
    await service.client.expect(204, 'DELETE', `/resources/${late}`);
    web.assertQuiet();
  });

  it('has its resources renamed, disabled and enabled, and asks before a new name is lost', async () => {
    await open('/resources?q=emo 5');
    await act('Memo 51', 'Rename …');
    const renaming = page.getByRole('dialog', { name: 'Rename' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await renaming.getByLabel('Name').waitFor();
    await page.keyboard.press('Escape');
    await renaming.waitFor({ state: 'detached' });
    const opener = page.getByRole('button', { name: 'Actions for Memo 51' });
    await eventually(() => opener.evaluate((button) => button === button.ownerDocument.activeElement));
    const neighbour = page.getByRole('button', { name: 'Actions for Memo 50' });
    await neighbour.click();
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => neighbour.evaluate((button) => button === button.ownerDocument.activeElement));

    await act('Memo 51', 'Rename …');
    await renaming.getByLabel('Name').fill('Demo 5');
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await renaming.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await renaming.waitFor({ state: 'detached' });
    await shows(...between(52, 50));

    const id = await idOf('Memo 51');
    const renameElsewhere = (name: string) =>
      service.client.expect(200, 'PATCH', `/resources/${id}`, { name });
    await act('Memo 51', 'Rename …');
    await renaming.getByLabel('Name').fill('Demo 5');
    await renameElsewhere('Memo 5x');
    await row('Memo 5x').waitFor();
    await renaming.getByRole('button', { name: 'Rename' }).click();
    await renaming.getByText('Its name is now').waitFor();
    await renameElsewhere('Elsewhere');
    await shows('Memo 52', 'Memo 50');
    assert.equal(await renaming.getByLabel('Name').inputValue(), 'Demo 5');
    await renaming.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await renameElsewhere('Memo 51');
    await shows(...between(52, 50));

    await act('Memo 51', 'Rename …');
    await dialog().getByLabel('Name').fill('Demo 5');
    await dialog().getByRole('button', { name: 'Rename' }).click();
    await shows(...between(52, 50).map((name) => (name === 'Memo 51' ? 'Demo 5' : name)));
    await act('Demo 5', 'Disable');
    await row('Demo 5').getByText('disabled').waitFor();
    await act('Demo 5', 'Enable');
    await row('Demo 5').getByText('disabled').waitFor({ state: 'detached' });
    await renameElsewhere('Memo 51');
    await shows(...between(52, 50));
    web.assertQuiet(412);
  });

  const headingHasFocus = async (): Promise<void> => {
    const heading = page.getByRole('heading', { level: 1, name: 'Resources' });
    await eventually(() => heading.evaluate((element) => element === element.ownerDocument.activeElement));
  };

  it('has a run cancelled, and a resource deleted after confirmation', async () => {
    service.worker.handle = () => ({ status: 202 });
    const id = await register('Held');
    await open('/resources?type=note');
    // After ten seconds it says what it waits for instead.
    await row('Held')
      .getByText(/^far( · 2 of 2|: )/)
      .waitFor();
    await page.getByRole('button', { name: 'Actions for Held' }).click();
    const refused = page.getByRole('menuitem', { name: 'Delete …' });
    assert.match(await refused.innerText(), /It is being processed: cancel the run first\./);
    await page.getByRole('menuitem', { name: 'Cancel the run', exact: true }).click();
    await row('Held').getByText('Cancelled', { exact: true }).waitFor();

    await act('Held', 'Delete …');
    await dialog().getByText('This cannot be undone.').waitFor();
    await dialog().getByRole('button', { name: 'Keep it' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal((await service.client.call('GET', `/resources/${id}`)).status, 200);

    await act('Held', 'Delete …');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await row('Held').waitFor({ state: 'detached' });
    await headingHasFocus();
    assert.equal((await service.client.call('GET', `/resources/${id}`)).status, 404);
    await web.assertNeverReloaded();
    web.assertQuiet();
  });

  it('shows what a step reports while the list is being loaded', async () => {
    service.worker.handle = () => ({ status: 202 });
    const arrived = async (id: string): Promise<ArrivedStep> =>
      await eventually(() => service.worker.arrived.find(({ message }) => message.resource.id === id));
    const report = async (id: string, message: string): Promise<void> => {
      const progress = { fraction: 0.5, message };
      const { status } = await service.worker.report(await arrived(id), { status: 'PROGRESS', progress });
      assert.equal(status, 200);
    };
    const shown = await register('Shown');
    await open('/resources?type=note');
    await row('Shown').getByText('far · 2 of 2').waitFor();

    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isLoaded = false;
    let loading = '';
    await page.route('**/api/v1/resources?*', async (route) => {
      // The page may hear of the resource before this test knows its id.
      await eventually(() => loading !== '');
      await arrived(loading);
      const response = await route.fetch();
      isLoaded = true;
      await released;
      await route.fulfill({ response });
    });
    loading = await register('Loading');
    await eventually(() => isLoaded);
    await report(loading, 'halfway');
    // This event comes after the other.
    await report(shown, 'just begun');
    await row('Shown').getByText('just begun').waitFor();
    release();
    await row('Loading').getByText('far · 2 of 2 · halfway').waitFor();

    for (const id of [shown, loading]) {
      await service.client.expect(202, 'POST', `/resources/${id}/cancel`, {});
      await service.client.settled(id);
      await service.client.expect(204, 'DELETE', `/resources/${id}`);
    }
    web.assertQuiet();
  });

  it('warns a user who deletes a resource that somebody else has started to process', async () => {
    await service.make('Contended', []);
    await open('/resources?type=note');
    await act('Contended', 'Delete …');
    service.worker.handle = () => ({ status: 202 });
    const id = await idOf('Contended');
    await service.client.expect(202, 'POST', `/resources/${id}/reprocess`, {});
    await row('Contended')
      .getByText(/^(Processing|Waiting)$/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    const alert = dialog().getByRole('alert');
    await alert.getByText('It is being processed').waitFor();
    await alert.getByText('Cancel the run, or wait until it has ended, then try again.').waitFor();
    await dialog().getByRole('button', { name: 'Keep it' }).click();
    await act('Contended', 'Cancel the run');
    await row('Contended').getByText('Cancelled', { exact: true }).waitFor();
    web.assertQuiet(409);
  });

  it('has many resources reprocessed at once', async () => {
    service.worker.handle = () => ({ status: 200, body: failure });
    await open('/resources?type=note');
    const names = ['Failed 3', 'Failed 2', 'Failed 1'];
    for (const name of names.toReversed()) await register(name);
    for (const name of names) await row(name).getByText('OUT_OF_INK at far').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
    await shows(...names);

    service.worker.handle = () => ({ status: 200, body: { status: 'SUCCESS' } });
    await page.getByRole('button', { name: 'All 3 that match' }).click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await dialog().getByRole('button', { name: 'Resume 3' }).click();
    await page.getByText('3 resources resumed').waitFor();
    // They leave the list of those that failed by themselves.
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Completed');
    await shows(...names);
    await web.assertNeverReloaded();
    web.assertQuiet();
  });

  it('selects a range by shift-click, disables it, undoes only what that changed, and deletes it', async () => {
    const { items } = await service.client.expect(200, 'GET', '/resources?q=Failed%203');
    await service.client.expect(200, 'PATCH', `/resources/${items[0].id}`, { is_enabled: false });
    await open('/resources?q=Failed&sort=name');
    await shows('Failed 1', 'Failed 2', 'Failed 3');
    await row('Failed 3').getByText('disabled').waitFor();
    await page.getByRole('checkbox', { name: 'Select Failed 1' }).click();
    await page.getByRole('checkbox', { name: 'Select Failed 3' }).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('toolbar', { name: 'Selected resources' });
    await bar.getByText('3 resources selected').waitFor();
    await bar.getByRole('button', { name: 'Disable' }).click();
    await dialog().getByRole('button', { name: 'Disable 3' }).click();
    await row('Failed 2').getByText('disabled').waitFor();
    await headingHasFocus();
    const enabled = async (): Promise<number> => {
      const { items: operations } = await service.client.expect(200, 'GET', '/operations');
      return operations.filter(({ action }: any) => action === 'enable').length;
    };
    const before = await enabled();
    await clickTwice(page.getByRole('button', { name: 'Undo' }));
    await row('Failed 2').getByText('disabled').waitFor({ state: 'detached' });
    // The resource that was disabled before stays so.
    await page.getByText('2 resources enabled').waitFor();
    await page.getByText('3 resources disabled').waitFor();
    assert.equal(await enabled(), before + 1);
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1);
    assert.equal(await row('Failed 3').getByText('disabled').count(), 1);

    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await bar.getByText('3 resources selected').waitFor();
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await page.getByRole('button', { name: 'All 3 that match' }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await dialog().getByRole('button', { name: 'Delete 3' }).waitFor();
    await register('Failed late', 'memo');
    await dialog().getByRole('button', { name: 'Delete 3' }).click();
    await dialog().getByText('4 resources match now, not 3.').waitFor();
    await dialog().getByRole('button', { name: 'Delete 4' }).click();
    await page.getByText('Nothing matches').waitFor();
    await page.getByText('4 resources deleted').waitFor();
    await headingHasFocus();
    web.assertQuiet(412);
  });

  it('sorts by a header up, down and by default again, and shows more rows on a page', async () => {
    for (const name of ['Beta', 'Alpha', 'Gamma']) await register(name, 'sorted');
    await service.client.expect(200, 'PATCH', `/resources/${await idOf('Beta')}`, {
      metadata: { seen: true },
    });
    await open('/resources?type=sorted');
    await shows('Gamma', 'Alpha', 'Beta');
    const header = (name: string) => table().getByRole('columnheader', { name });
    const sort = (name: string) => header(name).getByRole('button').click();
    await sort('Name');
    await shows('Alpha', 'Beta', 'Gamma');
    assert.equal(await header('Name').getAttribute('aria-sort'), 'ascending');
    await sort('Name');
    await shows('Gamma', 'Beta', 'Alpha');
    assert.equal(await header('Name').getAttribute('aria-sort'), 'descending');
    await sort('Name');
    await shows('Gamma', 'Alpha', 'Beta');
    assert.equal(await header('Name').getAttribute('aria-sort'), null);
    assert.equal(new URL(page.url()).search, '?type=sorted');
    await sort('Changed');
    await shows('Alpha', 'Gamma', 'Beta');
    await sort('Changed');
    await shows('Beta', 'Gamma', 'Alpha');
    await page.goBack();
    await shows('Alpha', 'Gamma', 'Beta');

    await page.getByRole('combobox', { name: 'Type' }).selectOption('Any type');
    await page.getByRole('searchbox', { name: 'Filter resources by name' }).fill('Memo');
    await sort('Changed');
    await sort('Changed');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByText('50 of 52').waitFor();
    await pages.getByRole('combobox', { name: 'Page size' }).selectOption('100 per page');
    await shows(...between(52, 1));
    await pages.getByText('52 of 52').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('limit'), '100');
    await pages.getByRole('combobox', { name: 'Page size' }).selectOption('50 per page');
    await shows(...between(52, 3));
    web.assertQuiet();
  });

  it('scrolls through a thousand rows, and selects them', async () => {
    const many = 1_001;
    await insert(
      'mass',
      Array.from({ length: many }, (_, at) => `Mass ${at + 1}`),
    );
    await open('/resources?type=mass');
    await page.getByRole('combobox', { name: 'Page size' }).selectOption('5,000 per page');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByText('1,001 of 1,001').waitFor();
    await row('Mass 1').first().waitFor();
    assert.equal(await table().getAttribute('aria-rowcount'), String(many + 1));
    await eventually(async () => (await table().getByRole('row').count()) < 100);

    // Smooth scrolling may end where a script scrolls meanwhile.
    await page.evaluate(`{
      globalThis.scrolls = [];
      const { scrollTo } = globalThis;
      globalThis.scrollTo = (...args) => {
        scrolls.push(args);
        scrollTo(...args);
      };
    }`);
    await page.keyboard.press('End');
    await row('Mass 1001').waitFor();
    assert.deepEqual(await page.evaluate('scrolls'), []);
    assert.equal(await row('Mass 1001').getAttribute('aria-rowindex'), String(many + 1));
    assert.ok((await table().getByRole('row').count()) < 100);
    await service.client.expect(200, 'PATCH', `/resources/${await idOf('Mass 1001')}`, { name: 'The last' });
    await row('The last').waitFor();
    await page.getByRole('checkbox', { name: 'Select The last' }).click();

    await page.keyboard.press('Home');
    await row('Mass 300').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select Mass 1', exact: true }).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('toolbar', { name: 'Selected resources' });
    await bar.getByText('1,001 resources selected').waitFor();
    const remove = bar.getByRole('button', { name: 'Delete …' });
    assert.match((await remove.getAttribute('aria-description')) ?? '', /At most 1,000 resources/);
    await bar.getByRole('button', { name: 'Select all 1,001 that match' }).click();
    await bar.getByText('All 1,001 matching resources are selected').waitFor();
    await remove.click();
    await dialog().getByRole('button', { name: 'Delete 1,001' }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await service.core.deps.db('resources').where({ type: 'mass' }).delete();
    web.assertQuiet();
  });

  it('sets and removes metadata of a selection and of all that match', async () => {
    const count = async (query: string): Promise<number> =>
      (await service.client.expect(200, 'GET', `/resources?count=true&limit=1&${query}`)).total.value;
    await open('/resources?type=memo');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected resources' });
    await bar.getByText('50 resources selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 52 that match' }).click();
    await bar.getByText('All 52 matching resources are selected').waitFor();
    await bar.getByRole('button', { name: 'Set metadata …' }).click();
    const confirm = dialog().getByRole('button', { name: 'Set metadata 52' });
    await confirm.waitFor();
    assert.equal(await confirm.isDisabled(), true);
    await dialog().getByRole('textbox', { name: 'Key 1' }).fill('a team');
    await dialog().getByText('A key has 1 to 64 letters').waitFor();
    assert.equal(await confirm.isDisabled(), true);
    await dialog().getByRole('textbox', { name: 'Key 1' }).fill('team');
    await dialog().getByRole('textbox', { name: 'Value 1' }).fill('press');
    await dialog().getByRole('button', { name: 'Add a key' }).click();
    await dialog().getByRole('textbox', { name: 'Key 2' }).fill('year');
    await dialog().getByRole('textbox', { name: 'Value 2' }).fill('2026');
    await dialog().getByText('{"team":"press","year":2026}').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stay here' }).click();
    await confirm.click();
    await page.getByText('52 resources updated').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('52 resources updated').waitFor({ state: 'detached' });
    assert.equal(await count('type=memo&metadata.team=press&metadata.year[gte]=2026'), 52);
    assert.equal(await count('metadata.team=press'), 52);

    await page.getByRole('checkbox', { name: 'Select Memo 52' }).click();
    await page.getByRole('checkbox', { name: 'Select Memo 51' }).click();
    await bar.getByRole('button', { name: 'Set metadata …' }).click();
    await dialog().getByRole('textbox', { name: 'Key 1' }).fill('team');
    await dialog().getByText('{"team":null}').waitFor();
    await dialog().getByRole('button', { name: 'Set metadata 2' }).click();
    await page.getByText('2 resources updated').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Metadata key').fill('team');
    await page.getByLabel('Value', { exact: true }).fill('press');
    await page.keyboard.press('Enter');
    await shows(...between(50, 1));
    assert.equal(await count('type=memo&metadata.year=2026'), 52);
    web.assertQuiet();
  });

  it('shows operations of others while they run, and their outcome', async () => {
    await open('/resources?q=emo 5');
    // A minute of work would be needed for one that runs long enough.
    const asRunning = (operation: object): object => ({ ...operation, status: 'RUNNING', done: 2 });
    await page.route('**/api/v1/operations/*', async (route) => {
      await route.fulfill({ json: asRunning(await (await route.fetch()).json()) });
    });
    await page.route('**/api/v1/operations?*', async (route) => {
      const { items } = (await (await route.fetch()).json()) as { items: [object, ...object[]] };
      await route.fulfill({ json: { items: [asRunning(items[0])], next_cursor: null } });
    });
    const body = { action: 'set_metadata', filter: { q: 'emo 5' }, metadata: { seen: 'by another' } };
    await service.client.expect(202, 'POST', '/operations', body);
    const running = page.getByText('Setting the metadata 2 of 3 resources');
    await running.waitFor();

    await page.getByRole('link', { name: 'Plugins' }).click();
    await page.getByRole('heading', { name: 'Plugins' }).waitFor();
    await page.goBack();
    await running.waitFor();
    const region = page.getByRole('status').filter({ has: running });
    assert.deepEqual(await accessibilityProblems(region), []);
    await page.unrouteAll();
    await page.getByText('3 resources updated').waitFor();
    web.assertQuiet();
  });

  it('is filtered by error, plugin and day, and by several values in its address', async () => {
    service.worker.handle = () => ({ status: 200, body: failure });
    for (const name of ['Broken 1', 'Broken 2']) await service.client.settled(await register(name));
    await open('/resources?type=note&status=FAILED&status=CANCELLED');
    await shows('Broken 2', 'Broken 1', 'Contended');
    await page.getByRole('button', { name: 'All 3 that match' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter status' }).click();
    await page.getByRole('button', { name: 'More filters' }).click();
    const filters = page.getByRole('group', { name: 'More filters' });
    await filters.getByLabel('Error').selectOption('OUT_OF_INK');
    await shows('Broken 2', 'Broken 1');
    await filters.getByLabel('Failed at').selectOption('extract-text');
    await page.getByText('Nothing matches').waitFor();
    await filters.getByLabel('Failed at').selectOption('far');
    await shows('Broken 2', 'Broken 1');

    const { db } = service.core.deps;
    await db('resources').where({ name: 'Broken 1' }).update({ created_at: '2020-01-05T12:00:00Z' });
    const asked = new Set<string>();
    page.on('request', (request) => {
      const from = new URL(request.url()).searchParams.get('created_after');
      if (from !== null) asked.add(from);
    });
    const entries = await page.evaluate('history.length');
    await filters.getByLabel('Added from').pressSequentially('01052020');
    await filters.getByLabel('Added up to').fill('2020-01-05');
    await shows('Broken 1');
    assert.equal(asked.size, 1);
    await filters.getByLabel('Added up to').fill('2020-01-04');
    await page.getByText('Nothing matches').waitFor();
    await filters.getByLabel('Added up to').fill('2020-01-05');
    await shows('Broken 1');
    await page.getByText('Added up to: 2020-01-05').waitFor();
    assert.equal(await page.evaluate('history.length'), entries);
    await page.getByRole('button', { name: 'All 1 that match' }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await dialog().getByRole('button', { name: 'Delete 1' }).click();
    await page.getByText('1 resource deleted').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('note');
    await shows('Broken 2', 'Contended');
    web.assertQuiet();
  });

  it('shows in amber what waits, under the status Waiting', async () => {
    const ocr = { id: 'ocr', name: 'OCR', kind: 'activity', task_queue: 'ocr-workers', activity_type: 'ocr' };
    await service.client.expect(201, 'POST', '/plugins', ocr);
    const pipeline = { name: 'Scans', trigger_type: 'scan', steps: [{ plugin_id: 'ocr' }] };
    await service.client.expect(201, 'POST', '/pipelines', pipeline);
    await register('Scan', 'scan');
    const { db } = service.core.deps;
    const ago = db.raw("now() - interval '1 minute'");
    await eventually(
      async () =>
        (await db('steps')
          .where({ plugin_id: 'ocr' })
          .whereNotNull('waiting_for')
          .update({ waiting_since: ago, started_at: ago })) === 1,
    );
    await open();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Waiting');
    await shows('Scan');
    assert.equal(new URL(page.url()).search, '?waiting=true');
    await row('Scan')
      .getByText(/ocr: .*ocr-workers/)
      .waitFor();
    const badge = row('Scan').getByText('Waiting', { exact: true });
    assert.equal(await badge.getAttribute('data-tone'), 'amber');
    const colors = await page.evaluate<readonly string[]>(`(() => {
      const badge = document.querySelector('[data-tone=amber]');
      const { color } = getComputedStyle(badge);
      badge.style.color = 'var(--kw-amber)';
      return [color, getComputedStyle(badge).color];
    })()`);
    assert.equal(colors[0], colors[1]);
    assert.deepEqual(await accessibilityProblems(row('Scan')), []);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Processing');
    await shows('Scan');
    assert.equal(new URL(page.url()).search, '?status=PROCESSING');

    await page.goto(`${service.api}/resources?waiting=true&status=FAILED`);
    await page.getByText('Nothing matches').waitFor();
    await page.getByText('status: FAILED').waitFor();
    await page.getByRole('button', { name: 'Remove the filter status' }).click();
    await shows('Scan');
    web.assertQuiet();
  });

  it('shows names in Hebrew and Arabic from right to left, also in their own view, and cuts long types', async () => {
    const names = ['Budget 2031', 'תקציב 2031', 'ميزانية 2031'];
    const type = 'memo'.padEnd(100, 'o');
    for (const name of names) await register(name, type);
    await open(`/resources?q=2031&type=${type}`);
    await shows(...names.toReversed());
    const flag = await row('Budget').getByText('no pipeline').boundingBox();
    const status = await row('Budget').getByText('Pending').boundingBox();
    assert.ok(flag && status && flag.x + flag.width < status.x, JSON.stringify([flag, status]));
    const select = await page.getByRole('combobox', { name: 'Type' }).boundingBox();
    assert.ok(select && select.width <= 220, JSON.stringify(select));
    for (const name of names) {
      const direction = name.startsWith('Budget') ? ':dir(ltr)' : ':dir(rtl)';
      const link = table().getByRole('link', { name });
      assert.ok(await link.evaluate((element, selector) => element.matches(selector), direction), name);
      await link.click();
      const heading = page.getByRole('heading', { level: 1, name });
      assert.ok(await heading.evaluate((element, selector) => element.matches(selector), direction), name);
      await page.goBack();
    }
    web.assertQuiet();
  });

  it('shows read-only users why they cannot change anything, and asks the service for nothing', async () => {
    const { key } = await createApiKey(service.core.deps.db, { name: 'looker', scopes: ['read'] });
    web = await browser.open(service, '/resources?q=emo 4', { apiKey: key });
    ({ page } = web);
    await shows(...between(49, 40));
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected resources' });
    await bar.getByText('10 resources selected').waitFor();
    const all = page.getByRole('button', { name: 'All 10 that match' });
    const buttons = await bar.getByRole('button').all();
    const changing = [all, ...buttons.slice(1)];
    assert.equal(changing.length, 8);
    for (const button of changing) {
      assert.match((await button.getAttribute('aria-description')) ?? '', /it needs the scope “write”/);
      await button.click({ force: true });
    }
    assert.equal(await dialog().count(), 0);
    assert.equal(await page.getByRole('menuitem').count(), 0);
    assert.deepEqual(
      web.requests.filter((url) => url.endsWith('/operations')),
      [],
    );
    web.assertQuiet();
  });
});
