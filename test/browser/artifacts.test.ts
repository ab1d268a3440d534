import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/temporary.js';
import { suiteBrowser } from '../support/browser/suite-browser.js';
import type { WebPage } from '../support/browser/web-page.js';
import { startNotesService, type MadeArtifact, type NotesService } from '../support/browser/web-service.js';

const markdown = `# Findings

Some **bold** words and a [link](https://example.com/more).

- [x] read
- [ ] understood

| Term | Meaning |
| ---- | ------- |
| kw   | warehouse |

\`\`\`
code();
\`\`\`
`;
const lines = Array.from({ length: 30_000 }, (_, at) => `Line ${at} of many.${at === 1 ? ' 😀' : ''}`);
const object = { title: 'A "quoted" title', tags: ['a', 'b'], nested: { deep: { yes: true, none: null } } };
const entries = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key-${at}`, at]));
const vector = Array.from({ length: 384 }, (_, at) => Math.sin(at / 9));
const vectors = [
  [3, 4],
  [-1, 0],
  [0.25, 0.5],
];

const texts = Array.from({ length: 20_000 }, (_, at) => `Passage ${at}.`);
texts[1] = 'הארכיון שומר את רשומות העיר';
texts[3] = 'Passage 3. 😀';
/** Where some chunks are, as far as a plugin knows it. */
const places: Readonly<Record<number, object>> = {
  2: { start: 1_200, end: 2_234, tokens: 240, page_start: 4, page_end: 5, headings: ['Archive', 'Fees'] },
  3: { tokens: 1, page_start: 6, page_end: 6 },
};
const chunks = { chunks: texts.map((text, at) => ({ text, ...places[at] })) };
// The last chunk has no vector.
const embeddings = texts.slice(1).map((_, at) => [at, 1, 0.5]);

const made: readonly MadeArtifact[] = [
  {
    type: 'chunks',
    content_type: 'json',
    content: chunks,
    metadata: { count: texts.length, text_format: 'plain' },
  },
  {
    type: 'embeddings',
    content_type: 'vector',
    content: embeddings,
    metadata: { model: 'tiny-3', dimensions: 3, count: embeddings.length, sizes: [{ batch: 32 }] },
  },
  { type: 'summary', content_type: 'text', content: markdown },
  { type: 'long', content_type: 'text', content: lines.join('\n') },
  { type: 'object', content_type: 'json', content: object },
  { type: 'large', content_type: 'json', content: entries },
  { type: 'numbers', content_type: 'vector', content: vector },
  { type: 'several', content_type: 'vector', content: vectors },
];

describe('an artifact on the page', function () {
  const browser = suiteBrowser({ keepsDocument: true });
  let service: NotesService;
  let id: string;
  let web: WebPage;
  let page: Page;

  before(async () => {
    service = await startNotesService();
    const resource = await service.make('Kinds', made);
    assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
    ({ id } = resource);
  });
  after(() => service.stop());
  beforeEach(async () => {
    web = await browser.open(service, `/resources/${id}`);
    ({ page } = web);
  });

  const dialog = () => page.getByRole('dialog');
  const open = (type: string): Promise<void> =>
    page
      .getByRole('list', { name: 'Artifacts' })
      .getByRole('button', { name: new RegExp(`^${type} .*View result`) })
      .click();
  const elements = (): Promise<number> => page.locator('*').count();
  const download = async (): Promise<{ readonly name: string; readonly text: string }> => {
    const saved = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Download' }).click();
    const path = join(temporaryFolder(), 'saved');
    await (await saved).saveAs(path);
    return { name: (await saved).suggestedFilename(), text: await readFile(path, 'utf8') };
  };

  it('is rendered if it is Markdown, shown as plain text on demand, and saved as a file', async () => {
    await open('summary');
    const text = dialog().getByRole('region', { name: 'Rendered text' });
    await text.getByRole('heading', { name: 'Findings' }).waitFor();
    assert.equal(
      await text.getByRole('link', { name: 'link' }).getAttribute('href'),
      'https://example.com/more',
    );
    assert.equal(await text.getByRole('cell', { name: 'warehouse' }).count(), 1);
    assert.equal(await text.getByRole('img', { name: 'Done:' }).count(), 1);
    await dialog().getByText('Plain', { exact: true }).click();
    assert.equal(await dialog().getByRole('region', { name: 'Text', exact: true }).innerText(), markdown);
    assert.deepEqual(await download(), { name: 'Kinds.summary.txt', text: markdown });
    web.assertQuiet();
  });

  it('renders only the visible part of a long text', async () => {
    await page.getByRole('list', { name: 'Artifacts' }).first().waitFor();
    const before = await elements();
    await open('long');
    const text = dialog().getByRole('region', { name: 'Text', exact: true });
    await text.getByText('Line 0 of many.').waitFor();
    assert.ok((await elements()) < before + 300, `${await elements()} elements`);
    await text.press('End');
    await text.getByText('Line 29999 of many.').waitFor();
    assert.ok((await elements()) < before + 300, `${await elements()} elements`);
    // Nor is it one long text in a single element.
    assert.ok((await text.textContent())!.length < 10_000);
    const characters = Array.from(lines.join('\n')).length.toLocaleString('en');
    await dialog().getByText(`${characters} characters`, { exact: true }).waitFor();
    assert.equal((await download()).text, lines.join('\n'));
    web.assertQuiet();
  });

  it('is searched by a find box that counts and wraps around, with and without wrapped lines', async () => {
    await open('long');
    const find = dialog().getByLabel('Find in the text');
    await find.fill('line 2500 OF');
    await dialog().getByText('1 of 1', { exact: true }).waitFor();
    await dialog().locator('mark').filter({ hasText: 'Line 2500 of' }).waitFor();
    await find.fill('999 of');
    await dialog().getByText('1 of 30', { exact: true }).waitFor();
    await find.press('Shift+Enter');
    await dialog().getByText('30 of 30', { exact: true }).waitFor();
    await dialog().getByText('Line 29999 of many.').waitFor();
    await dialog().getByRole('button', { name: 'Next match' }).click();
    await dialog().getByText('1 of 30', { exact: true }).waitFor();
    await find.fill('(.*\\');
    await dialog().getByText('No match').waitFor();
    const text = dialog().getByRole('region', { name: 'Text', exact: true });
    await dialog().getByRole('switch', { name: 'Wrap lines' }).press('Space');
    assert.equal(await text.getAttribute('data-wraps'), 'false');
    web.assertQuiet();
  });

  it('is a tree if it is JSON, for mouse and keyboard', async () => {
    await open('object');
    const tree = dialog().getByRole('tree', { name: 'Content' });
    const item = (text: string) => tree.getByRole('treeitem').filter({ hasText: text });
    await item('title“A "quoted" title”').waitFor();
    await item('deep').waitFor();
    await item('nested').click();
    await item('deep').waitFor({ state: 'detached' });
    await tree.press('ArrowRight');
    await item('deep').waitFor();
    assert.equal(await item('nested').getAttribute('aria-expanded'), 'true');
    const saved = await download();
    assert.equal(saved.name, 'Kinds.object.json');
    assert.deepEqual(JSON.parse(saved.text), object);
    web.assertQuiet();
  });

  it('renders only the visible part of a large tree', async () => {
    await page.getByRole('list', { name: 'Artifacts' }).first().waitFor();
    const before = await elements();
    await open('large');
    const tree = dialog().getByRole('tree', { name: 'Content' });
    await tree.getByText('key-0', { exact: true }).waitFor();
    await tree.press('End');
    await tree.getByText('key-19999', { exact: true }).waitFor();
    assert.ok((await elements()) < before + 500, `${await elements()} elements`);
    web.assertQuiet();
  });

  it('is a plot with its length if it is a vector', async () => {
    const fact = (name: string): Promise<string> =>
      dialog().locator('dl > div').filter({ hasText: name }).locator('dd').innerText();
    await open('numbers');
    const plot = dialog().getByRole('img', { name: /^384 values from / });
    await plot.waitFor();
    assert.equal(await plot.locator('rect').count(), 384);
    assert.equal(await fact('Dimensions'), '384');
    const length = Math.hypot(...vector);
    assert.equal(await fact('Length'), length.toLocaleString('en', { maximumSignificantDigits: 4 }));
    assert.deepEqual(JSON.parse((await download()).text), vector);
    await dialog().getByRole('button', { name: 'Close' }).click();

    await open('several');
    await dialog().getByText('of 3 vectors').waitFor();
    assert.equal(await fact('Length'), '5');
    await dialog().getByLabel('Which vector').fill('1');
    await eventually(async () => (await fact('Smallest')) === '-1');
    assert.equal(await fact('Length'), '1');
    web.assertQuiet();
  });

  it('links each chunk to its vector, and each vector to its chunk, of twenty thousand', async () => {
    await page.getByRole('list', { name: 'Artifacts' }).first().waitFor();
    const before = await elements();
    await open('chunks');
    const chunk = (at: number) => dialog().getByRole('article', { name: `Chunk ${at}`, exact: true });
    await chunk(1).getByText(texts[1]!).waitFor();
    assert.equal(await chunk(1).getByText(texts[1]!).getAttribute('dir'), 'auto');
    const heads = [1, 2, 3].map((at) => chunk(at).locator('div > :not(button)').allInnerTexts());
    assert.deepEqual(await Promise.all(heads), [
      ['Chunk 1', '27 characters'],
      ['Chunk 2', 'Archive › Fees › pages 4–5', '1,200–2,234', '1,034 characters, 240 tokens'],
      ['Chunk 3', 'page 6', '12 characters, 1 token'],
    ]);
    await dialog().getByLabel('Go to chunk').fill('19999');
    await chunk(19_999).getByText('No vector').waitFor();
    await dialog().getByLabel('Find in the chunks').fill('passage 17342');
    await dialog().getByText('1 of 1', { exact: true }).waitFor();
    assert.ok((await elements()) < before + 500, `${await elements()} elements`);
    await chunk(17_342).getByRole('button', { name: 'Vector of chunk 17342: tiny-3, 3 dimensions' }).click();

    const row = dialog().getByRole('option', { selected: true });
    await row.getByText('Passage 17342').waitFor();
    await dialog().getByText('of 19,999 vectors').waitFor();
    await chunk(17_342).getByText('Passage 17342').waitFor();
    const list = dialog().getByRole('listbox', { name: 'Vectors' });
    await list.press('ArrowDown');
    await row.getByText('Passage 17343').waitFor();
    assert.ok((await elements()) < before + 500, `${await elements()} elements`);
    await dialog().getByRole('button', { name: 'Show chunk 17,343' }).click();
    await chunk(17_343).getByText('Passage 17343').waitFor();
    assert.equal(await chunk(17_343).getAttribute('data-chosen'), 'true');
    await page.goBack();
    await list.waitFor();
    web.assertQuiet();
  });

  it('shows readable metadata, and is downloaded from its step as it is stored', async () => {
    await open('embeddings');
    const metadata = dialog().getByRole('region', { name: 'Metadata of the artifact' });
    assert.match(
      (await metadata.locator('dl').innerText()).replace(/\s+/g, ' '),
      /Model tiny-3 .*Count 19999/,
    );
    await metadata.getByText('1 entry').click();
    await metadata.getByRole('tree', { name: 'Sizes' }).getByText('32').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    for (const [type, file] of [
      ['summary', 'Kinds.summary.txt'],
      ['object', 'Kinds.object.json'],
      ['embeddings', 'Kinds.embeddings.json'],
    ] as const) {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `Download ${type}` }).click();
      const path = join(temporaryFolder(), type);
      await (await saved).saveAs(path);
      assert.equal((await saved).suggestedFilename(), file);
      const text = await readFile(path, 'utf8');
      if (type === 'summary') assert.equal(text, markdown);
      else assert.deepEqual(JSON.parse(text), type === 'object' ? object : embeddings);
    }
    web.assertQuiet();
  });

  it('has an original that is shown from memory (a picture, a text, a PDF) and can be downloaded', async () => {
    const add = async (name: string, bytes: Buffer, type: string): Promise<string> => {
      const form = new FormData();
      form.set('name', name);
      form.set('type', 'shown');
      form.set(
        'metadata',
        JSON.stringify({ team_a: 'archive', tags: ['old', 'printed'], Flag: true, none: null, dash: '–' }),
      );
      form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
      return (await service.client.expect(201, 'POST', '/resources', form)).id;
    };
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    /** Shows a resource without loading the page again: the router follows. */
    const visit = (resource: string): Promise<void> =>
      page.evaluate(`history.pushState(null, '', '/resources/${resource}')`);
    const closeDialog = async (): Promise<void> => {
      await dialog().getByRole('button', { name: 'Close' }).click();
      await dialog().waitFor({ state: 'detached' });
    };
    const show = (): Promise<void> => page.getByRole('button', { name: 'Show the original' }).click();

    await visit(await add('dot.png', Buffer.from(pixel, 'base64'), 'image/png'));
    await page.getByRole('button', { name: 'Enlarge the picture' }).click();
    await dialog().getByText('1 × 1 pixels').waitFor();
    assert.match((await dialog().getByRole('img', { name: 'dot.png' }).getAttribute('src')) ?? '', /^blob:/);
    const saved = page.waitForEvent('download');
    await dialog().getByRole('link', { name: 'Download the original' }).click();
    assert.equal((await saved).suggestedFilename(), 'dot.png');
    await closeDialog();
    await page.getByRole('button', { name: 'Enlarge the picture' }).click();
    await dialog().getByText('1 × 1 pixels').waitFor();
    await closeDialog();
    const noted = await page.getByRole('region', { name: 'Metadata of the resource' }).innerText();
    assert.match(noted.replace(/\s+/g, ' '), /Flag true dash – none null tags old, printed team_a archive/);

    await visit(await add('a.html', Buffer.from('<b>bold</b>'), 'text/html'));
    await show();
    await dialog().getByText('<b>bold</b>').waitFor();
    await closeDialog();

    const pdf = await readFile(new URL('../fixtures/letter.pdf', import.meta.url));
    const viewer = '{ value: true, configurable: true }';
    await page.evaluate(`Object.defineProperty(navigator, 'pdfViewerEnabled', ${viewer})`);
    await visit(await add('letter.pdf', pdf, 'application/pdf'));
    await show();
    const frame = dialog().locator('iframe[title="letter.pdf, page 1"]');
    assert.match((await frame.getAttribute('src')) ?? '', /^blob:.*#page=1$/);
    await page.evaluate('delete navigator.pdfViewerEnabled');
    web.assertQuiet();
  });

  it('can be opened by its URL', async () => {
    await open('object');
    await dialog().getByRole('tree').waitFor();
    const url = page.url();
    await page.goBack();
    await dialog().waitFor({ state: 'detached' });
    await page.goto(url);
    await dialog().getByRole('tree', { name: 'Content' }).waitFor();
    web.assertQuiet();
  });
});
