import assert from 'node:assert/strict';
import { chunkRecords } from '../../plugins/chunk-text/records.js';
import { extract } from '../../plugins/extract-text/extract.js';
import { fixture } from './support/extracted.js';
import { pdf } from './support/pdf.js';
import { zip, zipEntry } from './support/zip.js';

interface Read {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mediaType?: string;
}

/** Reads a document and cuts its text, in this process; a failure is a result like any other. */
async function read({ name, bytes, mediaType = '' }: Read): Promise<unknown> {
  const source = {
    sizeBytes: bytes.length,
    read: (position: number, length: number) => bytes.subarray(position, position + length),
  };
  const limits = { maxUnpackedBytes: 16_777_216, mainContent: 'auto', progress() {} } as const;
  try {
    const { text, metadata } = await extract({ source, name, mediaType, ...limits }, 1_048_576);
    const sizes = { unit: 'tokens', encoding: 'o200k_base', size: 512, overlap: 64 } as const;
    const chunks: string[] = [];
    const layout = { isMarkdown: metadata.text_format === 'markdown', pages: metadata.pages };
    for await (const chunk of chunkRecords(text, sizes, layout)) chunks.push(chunk.text);
    return { text, metadata, chunks };
  } catch (error) {
    return String(error);
  }
}

const own = (name: string): Read => ({ name, bytes: fixture(name) });
const made = (name: string, text: string): Read => ({ name, bytes: Buffer.from(text) });
const packed = (name: string, parts: Readonly<Record<string, string>>): Read => ({
  name,
  bytes: zip(Object.entries(parts).map(([part, content]) => zipEntry(part, content))),
});

const fixtures = [
  'article.html',
  'letter.pdf',
  'manual.html',
  'minutes.docx',
  'notes.md',
  'orders.csv',
  'owner-locked.pdf',
  'report.odt',
  'review.pptx',
  'settings.json',
  'stock.xlsx',
  'tales.epub',
].map(own);

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
const attributes = names.map((name) => `${name}="polluted"`).join(' ');
const elements = names.map((name) => `<${name} ${attributes}>polluted</${name}>`).join('');
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationship = (id: string, kind: string, target: string): string =>
  `<Relationships><Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/></Relationships>`;

/** Documents that name things as every object has them, in each place where names are looked up. */
const hostile: readonly Read[] = [
  made('a.json', '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'),
  made('a.csv', `${names.join(',')}\n${names.map(() => 'polluted').join(',')}\n`),
  made('a.md', `---\n__proto__: polluted\ntitle: __proto__\nconstructor: polluted\n---\n# constructor\n`),
  made(
    'a.html',
    `<html ${attributes}><meta name="__proto__" content="polluted">${elements}<svg>${elements}</svg><p>text`,
  ),
  made('a.html', '<b>'.repeat(5000)),
  made('a.constructor', 'text'),
  { name: 'a', bytes: Buffer.from('text'), mediaType: 'constructor' },
  { name: 'a', bytes: Buffer.from('t\u00e9xt', 'latin1'), mediaType: 'text/plain; charset=constructor' },
  {
    name: 'a.pdf',
    bytes: pdf([
      '<< /Type /Catalog /Pages 2 0 R /__proto__ << /polluted (1) >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] /constructor (1) >>',
      '<< /Type /Page /Parent 2 0 R /__proto__ 1 >>',
    ]),
  },
  { name: 'a.pdf', bytes: fixture('handbook.pdf').subarray(0, 70_000) },
  packed('a.docx', {
    'word/document.xml': `<w:document ${attributes}><w:body><w:p><w:pPr><w:pStyle w:val="__proto__"/></w:pPr>${elements}<w:hyperlink r:id="__proto__"><w:r><w:t>text</w:t></w:r></w:hyperlink></w:p></w:body></w:document>`,
    'word/styles.xml': names.reduce(
      (xml, id) =>
        xml.replace('</s>', `<style type="paragraph" styleId="${id}"><name val="Heading 1"/></style></s>`),
      '<s></s>',
    ),
    'word/_rels/document.xml.rels': relationship('__proto__', 'hyperlink', 'polluted'),
    __proto__x: '',
  }),
  packed('a.pptx', {
    'ppt/presentation.xml': `<p:presentation xmlns:r="${office}"><p:sldId r:id="__proto__"/>${elements}</p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationship('__proto__', 'slide', 'slide.xml'),
    'ppt/slide.xml': `<sld><sp ${attributes}>${elements}<p><t>text</t></p></sp></sld>`,
  }),
  packed('a.xlsx', {
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheet name="__proto__" r:id="constructor"/></workbook>`,
    'xl/_rels/workbook.xml.rels': relationship('constructor', 'worksheet', 'sheet.xml'),
    'xl/sheet.xml': `<s><row><c t="__proto__" s="__proto__"><v>text</v></c>${elements}</row></s>`,
  }),
  packed('a.odt', {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<d ${attributes}><body>${elements}<p>text</p></body></d>`,
    'meta.xml': `<m>${elements}</m>`,
  }),
  packed('a.epub', {
    'META-INF/container.xml': '<c><rootfile full-path="a.opf"/></c>',
    'a.opf': `<p>${elements}<item id="__proto__" href="a.xhtml" media-type="text/html"/><itemref idref="__proto__"/></p>`,
    'a.xhtml': `<html ${attributes}><body>${elements}<p>text</p></body></html>`,
  }),
];

/** What every later document would meet: the global names, and all that the objects of the language have. */
function shared(): unknown {
  const builtIn = [
    Object,
    Function,
    Array,
    String,
    Number,
    RegExp,
    Map,
    Set,
    Promise,
    Date,
    Buffer,
    JSON,
    Math,
  ];
  return [
    Reflect.ownKeys(globalThis).map((name) => [
      name,
      typeof (globalThis as Record<PropertyKey, unknown>)[name],
    ]),
    builtIn
      .flatMap((one) => [one, (one as { prototype?: object }).prototype ?? {}])
      .map((one) =>
        Object.entries(Object.getOwnPropertyDescriptors(one)).map(([name, property]) => [
          name,
          property.value,
        ]),
      ),
  ];
}

describe('extract-text and chunk-text on one document after another', () => {
  it('read each the same, whatever came before it', async () => {
    const alone: unknown[] = [];
    for (const document of fixtures) alone.push(await read(document));
    for (const before of hostile) {
      await read(before);
      const index = hostile.indexOf(before) % fixtures.length;
      assert.deepEqual(await read(fixtures[index] as Read), alone[index], `after ${before.name}`);
    }
    for (const [index, document] of [...fixtures.entries()].reverse()) {
      assert.deepEqual(await read(document), alone[index]);
    }
  });

  it('leave nothing behind in shared state', async () => {
    for (const document of [...fixtures, ...hostile]) await read(document);
    const before = shared();
    for (const document of [...hostile, ...fixtures]) await read(document);
    assert.deepEqual(shared(), before);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.match(Function.prototype.toString.call(Object.create), /native code/);
  });

  it('treat property names as plain names', async () => {
    for (const document of hostile) {
      const result = await read(document);
      assert.doesNotMatch(JSON.stringify(result), /native code|is not a function|undefined/, document.name);
    }
  });
});
