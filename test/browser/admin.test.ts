import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { formatBytes, plural } from '../../web/src/parts/format.js';
import { eventually } from '../support/eventually.js';
import type { RestClient } from '../support/service/rest-client.js';
import { clickTwice } from '../support/browser/interactions.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

describe('keys, the audit log and the system in a browser', () => {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: WebService;
  let client: RestClient;

  before(async () => {
    service = await startWebService();
    ({ client } = service);
  });
  after(() => service.stop());

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

  /** The names and values that a card shows. */
  const facts = async (page: Page, card: string): Promise<Record<string, string>> => {
    const shown = page.getByRole('region', { name: card, exact: true });
    await shown.getByRole('term').first().waitFor();
    const names = await shown.getByRole('term').allInnerTexts();
    const values = await shown.getByRole('definition').allInnerTexts();
    return Object.fromEntries(names.map((name, at) => [name, values[at]!.replace(/\s+/g, ' ')]));
  };

  it('creates a key whose secret is shown once, and revokes it', async () => {
    const web = await browser.open(service, '/overview', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = web;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mistaken');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').fill('Importer');
    await dialog.getByLabel('Access').selectOption({ label: 'Read and edit resources' });
    const lastDay = dialog.getByLabel('Last day');
    await lastDay.fill('21990-12-31');
    await dialog.locator('input:out-of-range').waitFor();
    await lastDay.fill('2199-12-31');
    const sent: Route[] = [];
    await page.route('**/api/v1/keys', async (route) => {
      if (route.request().method() === 'POST') sent.push(route);
      else await route.continue();
    });
    await clickTwice(dialog.getByRole('button', { name: 'Create', exact: true }));
    await eventually(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled());
    assert.equal(sent.length, 1);
    await sent[0]!.continue();
    await page.getByRole('dialog', { name: '“Importer” was created' }).waitFor();
    const secret = await dialog.locator('code').innerText();
    await page.evaluate('history.back()');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText('The secret is shown only once.').waitFor();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Copy the secret' }).click();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
    const withSecret = (): Promise<Response> =>
      fetch(`${service.api}/api/v1/resources`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await withSecret()).status, 200);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();

    await row(page, 'Importer').getByText('write').waitFor();
    await row(page, 'Importer').getByText('in 1', { exact: false }).waitFor();
    assert.equal((await page.content()).includes(secret), false);
    await page.getByRole('button', { name: 'Revoke Importer' }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await row(page, 'Importer').getByText('revoked').waitFor();
    assert.equal((await withSecret()).status, 401);
    web.assertQuiet();
  });

  it('explains why the last admin key cannot be revoked', async () => {
    const web = await browser.open(service, '/keys');
    const { page } = web;
    const { items } = await client.expect(200, 'GET', '/keys');
    const admins = items.filter((key: any) => key.scopes.includes('admin'));
    const admin = admins.find(({ prefix }: any) => service.adminKey.startsWith(prefix));
    for (const { id } of admins) if (id !== admin.id) await client.expect(204, 'DELETE', `/keys/${id}`);
    await page.getByRole('button', { name: `Revoke ${admin.name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText('This is the last valid key with the scope admin: create another one first.', {
        exact: true,
      })
      .waitFor();
    web.assertQuiet(409);
  });

  it('lists changes by filters that the URL keeps, page by page', async () => {
    for (let made = 0; made < 51; made++) {
      const body = { name: `Many ${made}`, scopes: ['read'] };
      await client.expect(201, 'POST', '/keys', body);
    }
    const web = await browser.open(service, '/audit');
    const { page } = web;
    const rows = page.getByRole('region', { name: 'Who changed what' }).locator('tbody tr');
    await page.getByLabel('Action').fill('createKey');
    await page.getByLabel('Action').press('Enter');
    await page.waitForURL(/action=createKey/);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByLabel('Action').fill('deleteKey');
    await page.getByLabel('Action').press('Enter');
    await page.waitForURL(/action=deleteKey/);
    await rows.filter({ hasText: 'createKey' }).first().waitFor({ state: 'detached' });
    await rows.first().waitFor();
    for (const text of await rows.allInnerTexts()) assert.match(text, /deleteKey\s+key/);
    await page.reload();
    await rows.first().waitFor();
    assert.equal(await page.getByLabel('Action').inputValue(), 'deleteKey');
    for (const text of await rows.allInnerTexts()) assert.match(text, /deleteKey\s+key/);
    await page.getByLabel('Since').fill('2199-01-01');
    await page.getByText('No change matches').waitFor();
    await page.goBack();
    await page.getByText('No change matches').waitFor({ state: 'detached' });
    web.assertQuiet();
  });

  it('shows versions, parts, the search index, addresses, and task queues with their workers', async () => {
    const plugin = { id: 'translate', name: 'Translation', kind: 'activity', activity_type: 'translate' };
    await client.expect(201, 'POST', '/plugins', { ...plugin, task_queue: 'translations' });
    const steps = [{ plugin_id: 'translate' }];
    await client.expect(201, 'POST', '/pipelines', { name: 'Letters', trigger_type: 'letter', steps });
    const done = await client.upload('document', { text: 'It was a long day. '.repeat(1_000) });
    const waiting = await client.upload('letter', { text: 'A letter.' });
    const { db, config } = service.core.deps;
    const since = { waiting_since: new Date(Date.now() - 60_000) };
    await eventually(async () => {
      const step = db('steps').where({ resource_id: waiting.id, status: 'RUNNING' });
      return (await step.whereNotNull('waiting_since').update(since)) === 1;
    });
    await client.settled(done.id);
    // Answers of the service may be some seconds old.
    const { versions, disk } = await eventually(async () => {
      const system = await client.expect(200, 'GET', '/system');
      const isWhole = system.queues.every(({ pollers }: { pollers: number | null }) => pollers !== null);
      return isWhole && system.waits.length > 0 && system;
    });
    const { chunks } = await eventually(async () => {
      const status = await client.expect(200, 'GET', '/search/status');
      return status.chunks > 1 && status.pending === 0 && status;
    });

    const error = 'INVALID_CHUNKS: Chunk 3 has no text.';
    await db('search_indexed').where({ resource_id: done.id }).update({ error });
    await db('search_indexes').where({ state: 'CURRENT' }).update({ failed: 1 });

    const web = await browser.open(service, '/health/live');
    const { page } = web;
    await page.clock.install();
    await page.goto(`${service.api}/system`);
    const parts = await facts(page, 'Parts');
    assert.equal(parts['Service'], `${versions.service} on Node.js ${process.versions.node}`);
    assert.match(parts['PostgreSQL']!, new RegExp(`^Answers ${versions.postgresql}, [\\d.]+ MB$`));
    assert.equal(parts['Temporal'], `Answers ${versions.temporal}`);
    assert.equal(parts['Object store'], 'Answers');
    assert.match(parts['Disk']!, new RegExp(`^[\\d.]+ [MGT]B of ${formatBytes(disk.total_bytes)} free$`));

    assert.deepEqual(await facts(page, 'Search index'), {
      State: 'Answers',
      Holds: `1 resource, ${plural(chunks, 'chunk')}`,
      'Not indexed': `1 resource ${done.name}: ${error}`,
      Pending: '0 changes',
    });
    const failed = page.getByRole('link', { name: done.name });
    assert.equal(await failed.getAttribute('href'), `/resources/${done.id}`);

    const addresses = await facts(page, 'Addresses');
    assert.equal(addresses['API'], service.api);
    assert.equal(addresses['Data folder'], config.dataDir);
    const url = new URL(config.databaseUrl);
    assert.equal(addresses['Database'], `${url.host}${url.pathname}`);

    const queues = page.getByRole('region', { name: 'Task queues and their workers' }).locator('tbody tr');
    const cells = async (queue: string): Promise<readonly string[]> =>
      await row(page, queue).getByRole('cell').allInnerTexts();
    assert.deepEqual(await cells('translations'), ['translate', 'No worker polls', '–', '1']);
    assert.match(await queues.first().innerText(), /^translations/);
    const { task_queue } = await client.expect(200, 'GET', '/plugins/extract-text');
    const [users, workers, polled, held] = await cells(task_queue);
    assert.match(users!, /\bextract-text\b/);
    assert.match(workers!, /^\d+ workers?$/);
    assert.match(polled!, /^(just now|\d+ minutes? ago)$/);
    assert.equal(held, '0');

    await db('search_indexes').where({ state: 'CURRENT' }).update({ failed: 0 });
    await page.clock.fastForward(15_000);
    await failed.waitFor({ state: 'detached' });
    web.assertQuiet();
    // Its clock cannot be reset.
    await web.close();
  });

  it('are for admin keys only, as are the addresses of the system', async () => {
    const { key } = await createApiKey(service.core.deps.db, { name: 'reader', scopes: ['read'] });
    const web = await browser.open(service, '/keys', { apiKey: key });
    await web.page.getByText('Only admin keys can see this').waitFor();
    const navigation = web.page.getByRole('navigation', { name: 'Main' });
    assert.equal(await navigation.getByRole('link', { name: 'Keys' }).count(), 0);
    await navigation.getByRole('link', { name: 'System' }).click();
    await web.page.getByRole('heading', { name: 'Task queues' }).waitFor();
    assert.equal(await web.page.getByRole('heading', { name: 'Addresses' }).count(), 0);
    assert.ok(!(await web.page.content()).includes(service.core.deps.config.dataDir));
    web.assertQuiet();
  });
});
