import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { detectMediaType } from '../../runtime/content/media-type.js';
import { extractHere, fixture } from './support/extracted.js';
import { textPdf } from './support/pdf.js';

const markdown =
  '# Tide tables\n\nThe *tables* are printed by:\n\n- the port\n- [the office](https://example.org)\n';
const prose =
  'Dear reader,\n\nthe parcel arrived on Tuesday, in good order. We thank you, and hope to hear from you.\n';
const html = '<!doctype html>\n<title>Tides</title>\n<h1>Tides</h1><p>High and low water.';
const utf8Mark = Buffer.from('\ufeff');
const csv = 'port,since,open\nAmsterdam,1700,yes\n"Brest, old",1807,no\n';
const json = '{"gauge": 7, "levels": [2.40, 3]}\n';

/** What a file holds, the names that are wrong for it, and what it is read as under each. */
const cases: readonly (readonly [
  what: string,
  content: string | Buffer,
  format: string,
  names: readonly string[],
])[] = [
  ['a PDF', fixture('letter.pdf'), 'pdf', ['a.txt', 'a.docx', 'a.html', 'a.md', 'a']],
  ['a PDF behind a byte order mark', Buffer.concat([utf8Mark, fixture('letter.pdf')]), 'pdf', ['a.txt', 'a']],
  [
    'a PDF in ASCII behind other text',
    `HTTP/1.1 200 OK\r\n\r\n${String(textPdf('(Tides) Tj'))}`,
    'pdf',
    ['a.pdf'],
  ],
  ['a DOCX', fixture('minutes.docx'), 'docx', ['a.html', 'a.pdf', 'a.xlsx', 'a.json', 'a']],
  ['a PPTX', fixture('review.pptx'), 'pptx', ['a.docx', 'a.txt', 'a.zip']],
  ['an XLSX', fixture('stock.xlsx'), 'xlsx', ['a.csv', 'a.docx', 'a.pptx', 'a.xls']],
  ['an ODT', fixture('report.odt'), 'odt', ['a.docx', 'a.epub', 'a.md']],
  ['an EPUB', fixture('tales.epub'), 'epub', ['a.odt', 'a.pdf', 'a.html']],
  ['HTML', html, 'html', ['a.docx', 'a.pdf', 'a.md', 'a.csv', 'a.json', 'a.txt', 'a']],
  ['HTML in UTF-16', iconv.encode(html, 'utf-16le', { addBOM: true }), 'html', ['a.docx', 'a.txt']],
  ['a part of HTML', '<p>High <b>water</b></p>', 'html', ['a.html', 'a.htm']],
  ['a table for Excel', '<table><tr><td>High<td>Low</table>', 'html', ['a.xls', 'a.xlsx', 'a.html']],
  ['rows behind a comment', '<!-- 1 --><tr><td>High<td>Low', 'html', ['a.xls']],
  ['a head without its tag', '<meta charset=utf-8><title>Tides</title><p>High', 'html', ['a.xls', 'a.docx']],
  ['text with some HTML', 'High <b>water</b> &amp; low', 'html', ['a.html']],
  ['Markdown', markdown, 'markdown', ['a.pdf', 'a.docx', 'a.epub', 'a.html', 'a.csv', 'a.json', 'a.md']],
  ['JSON', json, 'json', ['a.md', 'a.csv', 'a.pdf', 'a.html', 'a.txt', 'a.xlsx', 'a.json']],
  ['long JSON', `[${'{"level": 2.40},'.repeat(9_000)}1]`, 'json', ['a.md', 'a.pdf']],
  ['CSV', csv, 'csv', ['a.csv', 'a.tsv']],
  ['one column', 'port\nAmsterdam\nBrest\n', 'csv', ['a.csv']],
  ['plain text', prose, 'plain', ['a.html', 'a.pdf', 'a.docx', 'a.csv', 'a.json', 'a.txt', 'a']],
  // What follows is no more than one format by its content, or all that its name says.
  ['a list of notes', '[1] See the handbook.\n[2] See the tables.\n', 'plain', ['a.pdf', 'a.html', 'a.txt']],
  ['Markdown that may be plain text', markdown, 'plain', ['a.txt', 'a']],
  ['CSV that may be Markdown', csv, 'markdown', ['a.md']],
  [
    'Markdown that begins with HTML',
    `<p align="center">Tides</p>\n\n${markdown}`,
    'markdown',
    ['a.md', 'a.pdf'],
  ],
  ['Markdown that begins with a table', '<table><tr><td>High<td>Low</table>\n', 'markdown', ['a.md']],
  ['Markdown in HTML', '<div align="center">\n\n# Tides\n\nHigh\n</div>\n', 'plain', ['a.docx', 'a.pdf']],
  ['a component', '<script>\nlet high = 1;\n</script>\n<p>{high}</p>\n', 'plain', ['a.txt']],
  [
    'text that speaks of PDF',
    `Files that begin with %PDF-1.7 are PDFs.\n\n${prose}`,
    'plain',
    ['a.txt', 'a.pdf'],
  ],
  [
    'a mail that is not encoded',
    `MIME-Version: 1.0\nContent-Type: text/plain\n\n${prose}`,
    'plain',
    ['a.eml'],
  ],
  ['a request', `Content-Type: multipart/form-data\nUser-Agent: x\n\n${prose}`, 'plain', ['a.txt']],
  ['a letter', `From Marit to all:\nNote: read this.\n\n${prose}`, 'plain', ['a.eml', 'a.txt']],
  ['lines of JSON', '{"a": 1}\n{"a": 2}\n', 'plain', ['a.jsonl', 'a.txt']],
];

/** A file of each format. */
const files = {
  pdf: 'letter.pdf',
  docx: 'minutes.docx',
  pptx: 'review.pptx',
  xlsx: 'stock.xlsx',
  odt: 'report.odt',
  epub: 'tales.epub',
  html: 'article.html',
  markdown: 'notes.md',
  csv: 'orders.csv',
  json: 'settings.json',
};

describe('extract-text on files with a wrong extension', () => {
  for (const [what, content, format, names] of cases) {
    it(`reads ${what} as ${format}, whether called ${names.join(', ')}`, async () => {
      const source = Buffer.from(content as string);
      const found: string[][] = [];
      for (const name of names) {
        const byName = await extractHere({ name, source });
        // As it is uploaded: the API tells the media type first.
        const mediaType = await detectMediaType(source.subarray(0, 65_536), { fileName: name });
        const uploaded = await extractHere({ name, source, mediaType });
        found.push([byName.metadata.format, uploaded.metadata.format]);
      }
      assert.deepEqual(
        found,
        names.map(() => [format, format]),
      );
    });
  }

  it('recognizes each format under the extension of every other, and without one', async () => {
    const extensions = [
      'pdf',
      'docx',
      'pptx',
      'xlsx',
      'odt',
      'epub',
      'html',
      'md',
      'csv',
      'json',
      'txt',
      'zip',
    ];
    const differing: string[] = [];
    for (const [format, file] of Object.entries(files)) {
      const source = fixture(file);
      for (const extension of extensions) {
        const name = `a.${extension}`;
        const mediaType = await detectMediaType(source.subarray(0, 65_536), { fileName: name });
        const { metadata } = await extractHere({ name, source, mediaType });
        if (metadata.format !== format) differing.push(`${format} named .${extension}: ${metadata.format}`);
      }
    }
    // Markdown and rows are plain text as well: a name that says no more than that, or something else, leaves it at that.
    assert.deepEqual(differing, [
      'markdown named .txt: plain',
      'markdown named .zip: plain',
      ...extensions
        .filter((each) => each !== 'csv')
        .map((each) => `csv named .${each}: ${each === 'md' ? 'markdown' : 'plain'}`),
    ]);
  });
});
