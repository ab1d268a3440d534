import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

const count = 100_000;
const longestBlockMs = 200;

/** What a service has after a while: documents that went through two steps each. */
const insert = [
  `insert into resources
     (id, name, type, source_type, object_key, size_bytes, sha256, media_type, status, run, created_at)
   select gen_random_uuid(),
          'Report ' || lpad(n::text, 6, '0') || ' of ' || (array['Berlin', 'Lisbon', 'Oslo', 'Quito'])[1 + n % 4],
          'document', 'UPLOAD', 'sources/' || n, n, repeat('0', 64), 'text/plain', 'COMPLETED', 1,
          now() - n * interval '1 second'
   from generate_series(1, ${count}) as n`,
  `insert into runs (resource_id, run, status, workflow_id, source_ready, finished_at)
   select id, 1, 'COMPLETED', 'resource-' || id || '-run-1', true, now() from resources`,
  `insert into steps
     (resource_id, run, index, plugin_id, kind, max_attempts, backoff_seconds, timeout_seconds, status, attempt)
   select r.id, 1, s.index, s.plugin_id, 'activity', 3, 1, 60, 'COMPLETED', 1
   from resources r, (values (0, 'extract-text'), (1, 'chunk-text')) as s (index, plugin_id)`,
  'analyze',
];

describe(`the list over ${count.toLocaleString('en')} resources`, function () {
  this.timeout(600_000);

  const browser = suiteBrowser();
  let service: WebService;

  before(async () => {
    service = await startWebService();
    for (const statement of insert) await service.core.deps.db.raw(statement);
  });
  after(() => service.stop());

  const blocksIn = async (page: Page): Promise<() => Promise<number[]>> => {
    await page.evaluate(`globalThis.blocks = [];
      new PerformanceObserver((list) => blocks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask' })`);
    return () => page.evaluate('blocks');
  };

  it('scrolls through 5,000 rows without the page freezing', async () => {
    const web = await browser.open(service, '/resources');
    const { page } = web;
    const table = page.getByRole('table', { name: 'Resources' });
    await table.getByRole('link', { name: 'Report 000001 of Lisbon' }).waitFor();
    const blocks = await blocksIn(page);
    await page.getByRole('combobox', { name: 'Page size' }).selectOption('5,000 per page');
    await page.getByText('5,000 of').waitFor();
    // By the wheel, a screen at a time, to the last row.
    const last = table.getByRole('link', { name: /^Report 005000 / });
    for (let turn = 0; turn < 1_000 && (await last.count()) === 0; turn++) await page.mouse.wheel(0, 800);
    await last.waitFor();
    const long = (await blocks()).filter((ms) => ms > longestBlockMs);
    assert.deepEqual(long, []);
    web.assertQuiet();
  });

  it('is searched letter by letter without the page freezing', async () => {
    const web = await browser.open(service, '/resources');
    const { page } = web;
    const table = page.getByRole('table', { name: 'Resources' });
    await table.getByRole('link', { name: 'Report 000001 of Lisbon' }).waitFor();
    const blocks = await blocksIn(page);

    const shown = (): Promise<string[]> => table.getByRole('link').allTextContents();
    const search = page.getByRole('searchbox', { name: 'Filter resources by name' });
    // Each letter is one search: the next is typed while the rows of the one before come in.
    for (const letter of 'port 04711') await search.pressSequentially(letter);
    const tens = Array.from({ length: 10 }, (_, at) => 47_110 + at);
    const expected = tens.map((n) => `Report 0${n} of ${['Berlin', 'Lisbon', 'Oslo', 'Quito'][n % 4] ?? ''}`);
    await eventually(async () => (await shown()).join() === expected.join());
    for (const letter of '9 of Q') await search.pressSequentially(letter);
    await eventually(async () => (await shown()).join() === 'Report 047119 of Quito');
    await search.press('Escape');
    await eventually(async () => (await shown()).length === 50);
    // Of what is found in abundance there is a page.
    for (const letter of 'isbon') {
      await search.pressSequentially(letter);
      await eventually(() => new URL(page.url()).search.endsWith(letter));
    }
    await eventually(async () => (await shown()).every((name) => name.endsWith(' of Lisbon')));
    assert.equal((await shown()).length, 50);

    const long = (await blocks()).filter((ms) => ms > longestBlockMs);
    assert.deepEqual(long, []);
    // It would have been noticed.
    await page.evaluate(`new Promise((done) => setTimeout(() => {
      for (const end = performance.now() + 250; performance.now() < end;);
      done();
    }))`);
    await eventually(async () => (await blocks()).some((ms) => ms > longestBlockMs));
    web.assertQuiet();
  });
});
