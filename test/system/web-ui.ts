/**
 * Takes the pictures of the Temporal Web UI that the documentation shows, in Chromium, of a stack of its own:
 *
 *     node --import tsx test/system/web-ui.ts
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectBrowser } from '../support/browser/chromium.js';
import { eventually } from '../support/eventually.js';
import { createRestClient } from '../support/service/rest-client.js';
import { stopShared } from '../support/shared/servers.js';
import { startStack } from '../support/service/stack.js';

const pictures = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
mkdirSync(pictures, { recursive: true });

/** The saved views that docs/operations.md proposes. */
const views = {
  'Runs at work': 'WorkflowType="processResource" AND ExecutionStatus="Running"',
  'Failed runs': 'WorkflowType="processResource" AND ExecutionStatus="Failed"',
  'Runs of a plugin': 'KwPlugin="chunk-text"',
  'Runs of a type': 'KwResourceType="report" OR KwResourceType="document"',
  'Clean-ups at work': 'WorkflowType="cleanUpResource" AND ExecutionStatus="Running"',
} as const;

const stack = await startStack();
const browser = await connectBrowser();
try {
  const { id, workflow_id } = await registerWork();
  const { temporal_ui, temporal_namespace } = stack.stack();
  const workflows = `${temporal_ui}/namespaces/${temporal_namespace}/workflows`;
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();

  const take = async (name: string): Promise<void> => {
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: `${pictures}${name}.png` });
  };

  // As somebody has set it up who followed docs/operations.md: the Web UI keeps both in the browser.
  const columns = ['Status', 'KwResourceName', 'KwResourceType', 'KwPlugin', 'Start', 'Workflow ID'];
  const stored = {
    'namespace-workflow-table-columns': columns.map((label) => ({ label })),
    'saved-workflow-queries': Object.entries(views).map(([name, query], at) => ({
      id: String(at),
      name,
      query,
      type: 'user',
    })),
  };
  const settings = Object.entries(stored).map(([key, value]) => [
    key,
    JSON.stringify({ [temporal_namespace]: value }),
  ]);
  const configured = await browser.newContext({ viewport: { width: 1400, height: 760 }, locale: 'en-GB' });
  await configured.addInitScript(
    `for (const [key, value] of ${JSON.stringify(settings)}) localStorage.setItem(key, value)`,
  );
  const list = await configured.newPage();
  await list.goto(`${workflows}?query=${encodeURIComponent(views['Runs of a type'])}`);
  await list.getByText('handbook.pdf').first().waitFor();
  await list.getByText('Runs of a plugin').first().waitFor();
  await list.evaluate('document.fonts.ready');
  await list.screenshot({ path: `${pictures}temporal-columns.png` });
  await configured.close();

  await page.goto(`${workflows}?query=${encodeURIComponent(`KwResourceId="${id}"`)}`);
  const run = page.getByRole('link', { name: workflow_id }).first();
  await run.waitFor();
  await page.getByText('1–1 of 1').waitFor();
  await take('temporal-list');

  await run.click();
  await page.getByText('Step 2 · summarise').first().waitFor();
  await page.getByText('Step 0 · extract-text').first().waitFor();
  // The run's tabs at the top: its input and all of the timeline are below them then.
  await page.getByRole('tab', { name: 'Memo' }).evaluate((tab) => {
    tab.style.scrollMarginTop = '64px';
    tab.scrollIntoView({ block: 'start' });
  });
  await take('temporal-run');

  await page.getByRole('tab', { name: 'User Metadata' }).click();
  // What workflows say of themselves is shown in frames.
  await eventually(async () => {
    const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
    return texts.some((text) => text.includes('waits for a worker on its task queue'));
  });
  await take('temporal-details');
} finally {
  await browser.close();
  await stack.stop();
  await stopShared();
}

/** Documents that are done, and one that waits for a worker that is not running, which is returned. */
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
  return await eventually(async () => {
    const resource = await client.expect(200, 'GET', `/resources/${id}`);
    return /No worker/.test(resource.steps[2].waiting_for?.message) && resource;
  });
}
