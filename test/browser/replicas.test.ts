import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startApi, type TestApi } from '../support/service/api.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';
import type { WebPage } from '../support/browser/web-page.js';

describe('a page that one replica of the API serves, in a browser', () => {
  const browser = suiteBrowser();
  let database: TestDatabase;
  let plugin: HttpWorker;
  /** The replica that serves the page, and the other, to which everybody else speaks. */
  let serving: WebService;
  let beside: TestApi;
  let other: RestClient;
  let web: WebPage;
  let page: Page;

  before(async () => {
    [database, plugin] = await Promise.all([createDatabase(), startHttpWorker()]);
    serving = await startWebService({ database });
    const { config } = serving.core.deps;
    beside = await startApi({
      database,
      workflows: null,
      env: {
        TEMPORAL_ADDRESS: config.temporal.address,
        TEMPORAL_NAMESPACE: config.temporal.namespace,
        KW_DATA_DIR: config.dataDir,
        KW_PLUGIN_HOSTS: '127.0.0.1',
      },
    });
    other = createRestClient({ api: beside.base, adminKey: serving.adminKey });
    await other.expect(201, 'POST', '/plugins', {
      id: 'notes',
      name: 'Notes',
      kind: 'http',
      endpoint: plugin.endpoint,
    });
  });
  after(async () => {
    await Promise.all([serving.stop(), beside.stop()]);
    await Promise.all([plugin.stop(), database.drop()]);
  });

  const open = async (path: string): Promise<void> => {
    web = await browser.open(serving, path);
    page = web.page;
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  };
  /** Asserts that the page was loaded once, from its replica, and has spoken to that one alone. */
  const assertLoadedOnce = (): void => {
    const documents = web.requests.filter(
      (url) => url === `${serving.api}/pipelines` || url === `${serving.api}/resources`,
    );
    assert.equal(documents.length, 1);
    web.assertQuiet();
  };

  it('shows pipelines that are created, changed and deleted through another replica', async () => {
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

  it('shows a resource that is added, processed, renamed and deleted through another replica', async () => {
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
