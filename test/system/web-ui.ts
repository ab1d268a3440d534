/**
 * Takes the pictures of the Temporal Web UI that the documentation shows, in Chromium, of a stack of its own:
 *
 *     node --import tsx test/system/web-ui.ts
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/chromium.js';
import { eventually } from '../support/eventually.js';
import { createRestClient } from '../support/rest-client.js';
import { startStack } from '../support/stack.js';

const pictures = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const executablePath = findChromium();
assert.ok(executablePath !== null, 'There is no Chromium on the PATH.');
mkdirSync(pictures, { recursive: true });

const stack = await startStack();
const browser = await chromium.launch({
  executablePath,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const { id, workflow_id } = await registerWork();
  const { temporal_ui, temporal_namespace } = stack.stack();
  const workflows = `${temporal_ui}/namespaces/${temporal_namespace}/workflows`;
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();

  await page.goto(`${workflows}?query=${encodeURIComponent(`KwResourceId="${id}"`)}`);
  await page.getByRole('link', { name: workflow_id }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${pictures}temporal-list.png` });

  await page.getByRole('link', { name: workflow_id }).first().click();
  await page.getByText('extract-text').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${pictures}temporal-run.png` });
  await look(page);
} finally {
  await browser.close();
  await stack.stop();
}

async function look(page: Page): Promise<void> {
  console.log(page.url());
  console.log(await page.locator('body').innerText());
}

/** Documents that are done, and one that waits for a worker nobody has started: that one is returned. */
async function registerWork(): Promise<{ readonly id: string; readonly workflow_id: string }> {
  const client = createRestClient(stack);
  await client.expect(201, 'POST', '/plugins', {
    id: 'summarise',
    name: 'Summaries',
    kind: 'activity',
    task_queue: 'summaries',
    activity_type: 'summarise',
  });
  await client.expect(201, 'POST', '/pipelines', {
    name: 'Reports',
    trigger_type: 'report',
    steps: ['extract-text', 'chunk-text', 'summarise'].map((plugin_id) => ({ plugin_id })),
  });
  for (const fixture of ['minutes.docx', 'article.html', 'tales.epub']) {
    const { id } = await client.upload('document', { fixture });
    await client.settled(id);
  }
  const { id } = await client.upload('report', { fixture: 'handbook.pdf' });
  return await eventually(
    async () => {
      const resource = await client.expect(200, 'GET', `/resources/${id}`);
      return /No worker/.test(resource.steps[2].waiting_for?.message) && resource;
    },
    { timeoutMs: 30_000 },
  );
}
