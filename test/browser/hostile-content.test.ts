import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import type { WebPage } from '../support/browser/web-page.js';
import { startNotesService, type NotesService } from '../support/browser/web-service.js';

const script = `<script>globalThis.hacked = 'script'; alert(1)</script>`;
const picture = `<img src=x onerror="globalThis.hacked='picture'; alert(2)">`;
const link = `javascript:globalThis.hacked='link'`;

const markdown = `# Hostile ${picture}

${script}

<a href="${link}">html link</a> <svg onload="globalThis.hacked='svg'"></svg>
<iframe srcdoc="<script>parent.hacked='frame'</script>"></iframe>

[plain link](${link}) [upper link](JaVaScRiPt:globalThis.hacked='upper') [entity link](&#106;avascript:alert(3))
[data link](data:text/html,${encodeURIComponent(script)}) [by reference][r] <${link}>
![picture](x"onerror="globalThis.hacked='alt') ![tracker](https://example.com/pixel.png) [fine](https://example.com/)

[r]: ${link}

- &copy; &notin; &amp; &lt;script&gt; &#60;b&#62; &nosuchentity; &NotEqualTilde;

Inline \`${picture}\`

\`\`\`html
${script}
\`\`\`
`;

describe('hostile content on the page', function () {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: NotesService;
  let web: WebPage;
  let page: Page;

  before(async () => {
    service = await startNotesService({ max_attempts: 1 });
  });
  after(() => service.stop());

  const open = async (path: string): Promise<void> => {
    web = await browser.open(service, path);
    ({ page } = web);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const openArtifact = (type: string): Promise<void> =>
    page
      .getByRole('list', { name: 'Artifacts' })
      .getByRole('button', { name: new RegExp(`^${type} .*View result`) })
      .click();
  const dialog = () => page.getByRole('dialog');
  /** Nothing of it became an element or ran. */
  const assertHarmless = async (): Promise<void> => {
    const active =
      'img:not([src="/favicon.svg"]), iframe, script:not([src]), [onerror], [onload], [href^="javascript" i], [href^="data" i]';
    const found = await page
      .locator(active)
      .evaluateAll((elements) => elements.map((each) => each.outerHTML));
    assert.deepEqual(found, []);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    web.assertQuiet();
  };

  it('is shown as plain text in Markdown, with entities decoded', async () => {
    const { id } = await service.make('Markdown', [
      { type: 'report', content_type: 'text', content: markdown },
      { type: 'nested', content_type: 'text', content: `# a\n\n${'>'.repeat(8_000)}` },
    ]);
    await open(`/resources/${id}`);
    await openArtifact('report');
    const text = dialog().getByRole('region', { name: 'Rendered text' });
    const entities = await text.getByRole('listitem').innerText();
    assert.equal(entities, '© ∉ & <script> <b> &nosuchentity; ≂̸');
    await text.getByRole('heading', { name: `Hostile ${picture}` }).waitFor();
    assert.ok((await text.innerText()).includes(script));
    // What leads nowhere good is no link; of the others there is one.
    assert.deepEqual(await text.getByRole('link').allInnerTexts(), ['fine']);
    for (const name of ['html link', 'plain link', 'upper link', 'entity link', 'data link', 'by reference'])
      await text.getByText(name).first().click();
    await assertHarmless();
    await dialog().getByText('Plain', { exact: true }).click();
    assert.equal(await dialog().getByRole('region', { name: 'Text', exact: true }).innerText(), markdown);
    await assertHarmless();
    await page.keyboard.press('Escape');
    await openArtifact('nested');
    await dialog().getByText('8,005 characters, too complex to be rendered').waitFor();
    await dialog().getByRole('region', { name: 'Text', exact: true }).waitFor();
    await assertHarmless();
  });

  it('is shown as text in the keys and the values of JSON', async () => {
    const content = {
      [picture]: script,
      list: [picture, link, '&lt;b&gt; &copy;'],
      deep: { [script]: `${picture}\n${script}` },
    };
    const { id } = await service.make('JSON', [{ type: 'json', content_type: 'json', content }]);
    await open(`/resources/${id}`);
    await openArtifact('json');
    const tree = dialog().getByRole('tree', { name: 'Content' });
    for (const text of [`${picture}“${script}”`, `“${link}”`, '“&lt;b&gt; &copy;”'])
      await tree.getByRole('treeitem').filter({ hasText: text }).waitFor();
    await tree.getByText(script, { exact: true }).last().click();
    await tree.getByRole('treeitem').filter({ hasText: picture }).last().waitFor();
    await assertHarmless();
  });

  it('is shown as text in file names, resource names and searches', async () => {
    // The last two characters end an isolation, and reverse what follows.
    const shown = `${picture} ${script} &copy; `;
    const name = `${shown}\u2069\u202ex`;
    await open('/resources');
    await page.getByRole('button', { name: 'Add resources' }).first().click();
    await dialog()
      .getByLabel('Choose files')
      .setInputFiles({ name: `${picture}.txt`, mimeType: 'text/plain', buffer: Buffer.from('A file.') });
    await dialog()
      .getByRole('listitem')
      .filter({ hasText: `${picture}.txt` })
      .waitFor();
    await dialog().getByRole('button', { name: 'Add 1 resource' }).click();
    await dialog().getByText('1 added').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    const { id } = await service.make(name, []);
    const table = page.getByRole('table', { name: 'Resources' });
    await table.getByRole('link', { name, exact: true }).waitFor();
    await table
      .getByRole('row', { name: `${picture}.txt` })
      .getByText('Completed')
      .waitFor();

    await page.getByRole('searchbox', { name: 'Filter resources by name' }).fill(`${script}?`);
    await page.getByText('Nothing matches').waitFor();
    await assertHarmless();

    await page.getByRole('searchbox', { name: 'Filter resources by name' }).fill('');
    await table.getByRole('link', { name, exact: true }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await eventually(async () => (await page.getByRole('heading', { level: 1 }).innerText()) === name);
    await eventually(async () => (await page.title()).includes(name));
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await dialog().locator('bdi').getByText(name).waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`“\u2068${shown}\u202ex\u2069” was deleted`).waitFor();
    await assertHarmless();
  });

  it('is shown as text in the progress and the failure that a worker reports', async () => {
    service.worker.handle = () => ({ status: 202 });
    const { id } = await service.client.upload('note', { text: 'A note.' });
    await open(`/resources/${id}`);
    const step = await eventually(() =>
      service.worker.arrived.find(({ message }) => message.resource.id === id),
    );
    await service.worker.report(step, { status: 'PROGRESS', progress: { fraction: 0.25, message: picture } });
    await page.getByText(`25 % · ${picture}`).waitFor();
    await assertHarmless();

    const error = { code: picture, message: script, retryable: false, details: { [script]: link } };
    await service.worker.report(step, { status: 'FAILURE', error });
    const steps = page.getByRole('list', { name: 'Steps', exact: true });
    await steps.getByText(script, { exact: true }).waitFor();
    await steps.getByText(picture, { exact: true }).waitFor();
    await steps.getByText('Details').click();
    const details = JSON.parse(await steps.getByRole('region', { name: 'Details of the error' }).innerText());
    assert.deepEqual(details, error.details);
    await assertHarmless();

    await page.getByRole('link', { name: 'Resources' }).first().click();
    await page.getByRole('table', { name: 'Resources' }).getByText(`${picture} at far`).waitFor();
    await assertHarmless();
  });
});
