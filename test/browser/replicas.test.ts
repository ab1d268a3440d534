import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createApiKey } from '../../storage/api-keys.js';
import { startHttpWorker, type HttpWorker } from '../support/http-worker.js';
import { reservePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { createRestClient, type RestClient } from '../support/rest-client.js';
import { s3Settings, startS3, type TestS3 } from '../support/s3.js';
import { startService, type Service } from '../support/service.js';
import { suiteBrowser } from '../support/suite-browser.js';
import { startTemporal } from '../support/temporal.js';
import type { WebPage } from '../support/web-page.js';

describe('a page that one replica of the API serves, in a browser', () => {
  const browser = suiteBrowser();
  let database: TestDatabase;
  let s3: TestS3;
  let plugin: HttpWorker;
  let services: Service[] = [];
  let apis: string[];
  let adminKey: string;
  /** Speaks to the replica that does not serve the page. */
  let other: RestClient;
  let web: WebPage;
  let page: Page;

  before(async function () {
    this.timeout(300_000);
    const [temporal, ports] = await Promise.all([
      startTemporal(),
      Promise.all([reservePort(), reservePort()]),
      (async () => (database = await createDatabase()))(),
      (async () => (s3 = await startS3()))(),
      (async () => (plugin = await startHttpWorker()))(),
    ]);
    apis = ports.map((port) => `http://127.0.0.1:${port}`);
    const env = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.config.address,
      ...s3Settings(s3),
      KW_SECRET: 'a-secret-that-all-of-them-share',
      KW_PUBLIC_URL: apis[0]!,
      KW_PLUGIN_HOSTS: '127.0.0.1',
    };
    services = await Promise.all([
      ...ports.map((port) => startService('api', { ...env, PORT: String(port) })),
      startService('worker', env),
    ]);
    ({ key: adminKey } = await createApiKey(database.db, { name: 'tests', scopes: ['admin'] }));
    other = createRestClient({ api: apis[1]!, adminKey });
    await other.expect(201, 'POST', '/plugins', {
      id: 'notes',
      name: 'Notes',
      kind: 'http',
      endpoint: plugin.endpoint,
    });
  });
  after(async () => {
    await Promise.all(services.map((service) => service.kill9()));
    await plugin.stop();
    await database.drop();
    await s3.stop();
  });

  const open = async (path: string): Promise<void> => {
    web = await browser.open({ api: apis[0]!, adminKey }, path);
    page = web.page;
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  };
  /** Asserts that the page was loaded once, from its replica, and has spoken to that one alone. */
  const assertLoadedOnce = (): void => {
    const documents = web.requests.filter(
      (url) => url === `${apis[0]}/pipelines` || url === `${apis[0]}/resources`,
    );
    assert.equal(documents.length, 1);
    web.assertQuiet();
  };

  it('shows the pipelines that are made, changed and deleted through the other', async () => {
    await open('/pipelines');
    await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor();
    const steps = [{ plugin_id: 'notes' }];
    const { id } = await other.expect(201, 'POST', '/pipelines', {
      name: 'Notes',
      trigger_type: 'note',
      steps,
    });
    await page.getByRole('link', { name: 'Notes', exact: true }).waitFor();
    await other.expect(200, 'PUT', `/pipelines/${id}`, { name: 'Notes and more', steps });
    await page.getByRole('link', { name: 'Notes and more' }).waitFor();
    await other.expect(204, 'DELETE', `/pipelines/${id}`);
    await page.getByRole('link', { name: 'Notes and more' }).waitFor({ state: 'hidden' });
    assertLoadedOnce();
  });

  it('shows a resource that is added, processed, renamed and deleted through the other', async () => {
    const steps = [{ plugin_id: 'notes' }];
    await other.expect(201, 'POST', '/pipelines', { name: 'Notes', trigger_type: 'note', steps });
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    plugin.handle = async () => {
      await finished;
      return { status: 200, body: { status: 'SUCCESS' } };
    };
    await open('/resources');
    const { id } = await other.upload('note', { text: 'Seen from afar' });
    const row = page.getByRole('row').filter({ hasText: 'Seen from afar' });
    await row.getByText('Processing').waitFor();
    finish();
    await row.getByText('Completed').waitFor();
    await other.expect(200, 'PATCH', `/resources/${id}`, { name: 'Called otherwise' });
    await page.getByRole('link', { name: 'Called otherwise' }).waitFor();
    await other.expect(204, 'DELETE', `/resources/${id}`);
    await page.getByRole('link', { name: 'Called otherwise' }).waitFor({ state: 'hidden' });
    assertLoadedOnce();
  });
});
