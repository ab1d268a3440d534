import { readFileSync } from 'node:fs';
import { crafted } from '../plugins/support/crafted.js';
import { doublingPdf, pdfBomb } from '../plugins/support/pdf.js';
import { bomb, zip, zipEntry } from '../plugins/support/zip.js';
import { seededRandom } from '../support/models/random.js';

/** A file that a parser is to survive. */
export interface HostileDocument {
  readonly what: string;
  /** Of the resource's name. */
  readonly extension: string;
  readonly mediaType: string;
  readonly make: () => string | Buffer;
  /** How it may end: COMPLETED, or the codes of a failure that is its own. */
  readonly ends: readonly string[];
}

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const craft = (format: string, what: string, n: number): string | Buffer => crafted[format]![what]!(n);

/** What a machine that is slow, or a process that was frozen, makes of a document that takes long. */
const late = ['EXTRACTION_TIMED_OUT', 'CHUNKING_TIMED_OUT'];

export const hostileDocuments: readonly HostileDocument[] = [
  {
    what: 'a list of 200,000 items',
    extension: 'html',
    mediaType: 'text/html',
    make: () => craft('html', 'list items', 200_000),
    ends: ['COMPLETED', 'OUTPUT_TOO_LARGE', ...late],
  },
  {
    what: 'a page that is nested without end',
    extension: 'html',
    mediaType: 'text/html',
    make: () => `<html><body>${'<div>'.repeat(5_000)}x`,
    ends: ['COMPLETED'],
  },
  {
    what: 'towers of lists',
    extension: 'html',
    mediaType: 'text/html',
    make: () => craft('html', 'nested lists', 20_000),
    ends: ['COMPLETED', 'OUTPUT_TOO_LARGE', ...late],
  },
  {
    what: 'a zip bomb',
    extension: 'docx',
    mediaType: docx,
    make: () => zip([zipEntry('[Content_Types].xml', '<Types/>'), bomb('word/document.xml', 4_000)]),
    ends: ['ARCHIVE_TOO_LARGE', ...late],
  },
  {
    what: 'a zip bomb that lies about its size',
    extension: 'docx',
    mediaType: docx,
    make: () => zip([zipEntry('[Content_Types].xml', '<Types/>'), bomb('word/document.xml', 4_000, 1_000)]),
    ends: ['UNREADABLE_FILE', 'ARCHIVE_TOO_LARGE', ...late],
  },
  {
    what: 'a PDF that is cut off',
    extension: 'pdf',
    mediaType: 'application/pdf',
    make: () => fixture('handbook.pdf').subarray(0, 70_000),
    ends: ['UNREADABLE_FILE'],
  },
  {
    what: 'a PDF that unpacks to gigabytes',
    extension: 'pdf',
    mediaType: 'application/pdf',
    make: () => pdfBomb(3_000),
    ends: ['EXTRACTION_OUT_OF_MEMORY', ...late],
  },
  {
    what: 'a PDF that draws itself for ever',
    extension: 'pdf',
    mediaType: 'application/pdf',
    make: () => doublingPdf(40),
    ends: ['EXTRACTION_OUT_OF_MEMORY', ...late],
  },
  {
    what: 'random bytes that are called a PDF',
    extension: 'pdf',
    mediaType: 'application/pdf',
    make: () => randomBytes(50_000),
    ends: ['UNREADABLE_FILE'],
  },
  {
    what: 'deeply nested JSON',
    extension: 'json',
    mediaType: 'application/json',
    make: () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    ends: ['COMPLETED', 'UNREADABLE_FILE'],
  },
  {
    what: 'JSON with strange strings and keys',
    extension: 'json',
    mediaType: 'application/json',
    make: () => '{"__proto__":{"a":"\\ud800"},"\\udc00":"\\u0000","constructor":{"prototype":1}}',
    ends: ['COMPLETED'],
  },
  {
    what: 'a text of nothing',
    extension: 'txt',
    mediaType: 'text/plain',
    make: () => ' \n\t\n',
    ends: ['EMPTY_FILE'],
  },
  {
    what: 'a text with halves of characters',
    extension: 'txt',
    mediaType: 'text/plain',
    make: () => Buffer.from('a text \xed\xa0\x80 of bytes \xff\xfe that \xf0\x9f are no UTF-8', 'latin1'),
    ends: ['COMPLETED'],
  },
  {
    what: 'a text with NUL',
    extension: 'txt',
    mediaType: 'text/plain',
    make: () => 'a text\0 with what ends it\0 elsewhere',
    ends: ['COMPLETED', 'UNSUPPORTED_MEDIA_TYPE'],
  },
];

/** The same in each run. */
function randomBytes(count: number): Buffer {
  const random = seededRandom(count);
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
}
