import assert from 'node:assert/strict';
import { detectMediaType } from '../../runtime/content/media-type.js';

/** A zip file's local header for one entry, stored. */
function zipEntry(name: string, content: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(20, 4);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name + content)]);
}

const bom = Buffer.from([0xff, 0xfe]);
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const contentTypes =
  '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const binary = Buffer.from([1, 2, 3, 0, 200, 7, 0, 0]);
const latin1 = Buffer.from('déjà vu', 'latin1');

const cases: readonly [
  what: string,
  head: Buffer | string,
  hints: { fileName?: string; declared?: string },
  type: string,
][] = [
  ['a PDF', '%PDF-1.7\n1 0 obj', {}, 'application/pdf'],
  [
    'a PDF that calls itself text',
    '%PDF-1.7\n1 0 obj',
    { fileName: 'a.txt', declared: 'text/plain' },
    'application/pdf',
  ],
  [
    'a PDF after some bytes of rubbish',
    Buffer.from('\x00\x01junk\n%PDF-1.7\n', 'latin1'),
    {},
    'application/pdf',
  ],
  ['a PDF after a line of text', 'HTTP/1.1 200\n%PDF-1.7\n', { fileName: 'a.PDF' }, 'application/pdf'],
  ['a PDF after a line, as declared', 'GET\n%PDF-1.7\n', { declared: 'application/pdf' }, 'application/pdf'],
  ['text that mentions the mark of PDF', 'See %PDF-1.7', { fileName: 'a.pdf' }, 'text/plain'],
  [
    'rows named as a workbook',
    'a\tb\n1\t2\n',
    { fileName: 'a.xls', declared: 'text/tab-separated-values' },
    'text/tab-separated-values',
  ],
  ['CSV named as a workbook', 'a,b\n1,2\n', { fileName: 'a.xls', declared: 'text/csv' }, 'text/csv'],
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), { fileName: 'a.html' }, 'image/png'],
  ['a DOCX by its content', zipEntry('[Content_Types].xml', contentTypes), {}, docx],
  ['a DOCX by its name', zipEntry('_rels/.rels', 'x'), { fileName: 'Report.DOCX' }, docx],
  ['a DOCX as declared', zipEntry('_rels/.rels', 'x'), { declared: docx }, docx],
  ['an EPUB', zipEntry('mimetype', 'application/epub+zip'), {}, 'application/epub+zip'],
  [
    'an ODT',
    zipEntry('mimetype', 'application/vnd.oasis.opendocument.text'),
    {},
    'application/vnd.oasis.opendocument.text',
  ],
  ['a zip file', zipEntry('a.txt', 'x'), { declared: 'text/html' }, 'application/zip'],
  [
    'an old Word file',
    Buffer.from('d0cf11e0a1b11ae1'.padEnd(1200, '0'), 'hex'),
    { fileName: 'a.doc' },
    'application/msword',
  ],
  ['an RTF', '{\\rtf1\\ansi hello}', { declared: 'text/plain' }, 'application/rtf'],
  ['plain text', 'Good morning.\n', {}, 'text/plain'],
  ['text that begins like a bitmap', 'BMW builds cars.', {}, 'text/plain'],
  ['text that begins like a program', 'MZ is the mark of a program.', { fileName: 'mz.md' }, 'text/markdown'],
  ['nothing', '', {}, 'text/plain'],
  ['UTF-8 cut in the middle of a character', Buffer.from('Grüße').subarray(0, 3), {}, 'text/plain'],
  ['UTF-16 with a mark', Buffer.concat([bom, utf16('Grüße und mehr')]), {}, 'text/plain'],
  ['UTF-16 without a mark', utf16('Good morning, Vietnam'), {}, 'text/plain'],
  ['UTF-16 HTML', Buffer.concat([bom, utf16('<!DOCTYPE html><p>Hi')]), {}, 'text/html'],
  ['Latin-1', Buffer.from('Grüße aus Köln', 'latin1'), { fileName: 'a.csv' }, 'text/csv'],
  [
    'HTML by its doctype',
    '\n<!-- hi -->\n<!doctype HTML>\n<title>x',
    { fileName: 'a.txt', declared: 'text/plain' },
    'text/html',
  ],
  ['HTML as a fragment', '<p>Hello', {}, 'text/html'],
  ['HTML by its name', 'Hello <b>you</b>', { fileName: 'page.htm' }, 'text/html'],
  ['text that is called HTML', 'Hello', { fileName: 'page.htm' }, 'text/plain'],
  ['HTML as declared', 'Hello', { declared: 'Text/HTML; charset=utf-8' }, 'text/html'],
  ['XHTML', '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html xmlns="y">', {}, 'application/xhtml+xml'],
  ['an SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', {}, 'image/svg+xml'],
  ['XML', '<?xml version="1.0"?><a/>', { fileName: 'a.txt' }, 'text/plain'],
  ['XML without a name', '<?xml version="1.0"?><a/>', {}, 'application/xml'],
  [
    'Markdown that begins with HTML',
    '<p align="center"><img src="x"></p>\n\n# T',
    { fileName: 'README.md' },
    'text/markdown',
  ],
  ['JSON by its content', ' {"a": [1, 2]}\n', { declared: 'application/octet-stream' }, 'application/json'],
  ['JSON by its name', '"just a string"', { fileName: 'a.json' }, 'application/json'],
  ['JSON that is called Markdown', '[1, 2]', { fileName: 'a.md' }, 'application/json'],
  ['JSON that is called text', '[1, 2]', { fileName: 'a.txt' }, 'application/json'],
  ['Markdown that is called JSON', '# Tides\n\nHigh.', { fileName: 'a.json' }, 'text/markdown'],
  [
    'Markdown that is called a PDF',
    '# Tides\n\nHigh.',
    { fileName: 'a.pdf', declared: 'application/pdf' },
    'text/markdown',
  ],
  ['text that is called CSV', 'Dear,\n\nthank you.', { fileName: 'a.csv' }, 'text/plain'],
  ['a line of JSON', '{"a":1}', { fileName: 'a.ndjson' }, 'application/x-ndjson'],
  ['lines of JSON', '{"a":1}\n{"a":2}\n', { fileName: 'a.jsonl' }, 'application/x-ndjson'],
  ['what only looks like JSON', '[note] hello', {}, 'text/plain'],
  ['CSV as declared', 'a,b\n1,2\n', { declared: 'text/csv' }, 'text/csv'],
  ['text that is declared an image', 'a,b\n1,2\n', { declared: 'image/png' }, 'text/plain'],
  ['unknown bytes', binary, {}, 'application/octet-stream'],
  [
    'unknown bytes that are called text',
    binary,
    { fileName: 'a.txt', declared: 'text/plain' },
    'application/octet-stream',
  ],
  ['an ending that every object has', 'x', { fileName: 'a.constructor' }, 'text/plain'],
  [
    'Latin-1 as declared',
    latin1,
    { declared: 'Text/HTML; Charset="ISO-8859-1"' },
    'text/html; charset=iso-8859-1',
  ],
  [
    'ASCII that is declared to be more',
    '<html>',
    { declared: 'text/html;charset=koi8-r' },
    'text/html; charset=koi8-r',
  ],
  [
    'UTF-8 that is declared to be Latin-1',
    'déjà',
    { declared: 'text/plain; charset=iso-8859-1' },
    'text/plain',
  ],
  ['UTF-8 as declared', 'déjà', { declared: 'text/plain; charset=utf-8' }, 'text/plain'],
  [
    'a PDF with a charset',
    '%PDF-1.7',
    { declared: 'application/pdf; charset=iso-8859-1' },
    'application/pdf',
  ],
  ['a charset that is none', latin1, { declared: 'text/plain; charset=<x>' }, 'text/plain'],
  ['a declaration that is none', 'x', { declared: 'text/<script>' }, 'text/plain'],
];

describe('media type', () => {
  for (const [what, head, hints, type] of cases) {
    it(`of ${what} is ${type}`, async () => {
      assert.equal(await detectMediaType(Buffer.from(head as string), hints), type);
    });
  }

  it('of any bytes is detected without an error', async () => {
    for (const signature of [
      'PK\x03\x04',
      '\x1f\x8b\x08',
      '\xd0\xcf\x11\xe0',
      'ID3',
      'RIFF',
      '\x30\x26\xb2\x75\x8e\x66\xcf\x11',
    ]) {
      for (const length of [0, 1, 30, 4000]) {
        const head = Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.alloc(length, 0xff)]);
        assert.match(await detectMediaType(head), /^[a-z]+\/\S+$/);
      }
    }
  });
});
