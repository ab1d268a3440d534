import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { chunkText } from '../../plugins/chunk-text/index.js';
import { extractText } from '../../plugins/extract-text/index.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { runPlugin, type PluginRun } from '@knowledge-warehouse/plugin/testing';
import { crafted } from './support/crafted.js';
import { extract, extractHere } from './support/extracted.js';
import { doublingPdf, pdfBomb } from './support/pdf.js';
import { bomb, zip, zipEntry, type ZipEntry } from './support/zip.js';

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const contentTypes = zipEntry('[Content_Types].xml', '<Types/>');

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}

function docx(document: ZipEntry): Buffer {
  return zip([contentTypes, document]);
}

function odt(content: string): Buffer {
  return zip([
    zipEntry('mimetype', 'application/vnd.oasis.opendocument.text'),
    zipEntry('content.xml', content),
  ]);
}

const runWhole = (run: PluginRun): Promise<unknown> => runPlugin(extractText, run);

/** The code that a file is refused with; `read` reads it, by default in a child process. */
async function failure<T extends PluginRun>(
  run: T,
  read: (run: T) => Promise<unknown> = runWhole,
): Promise<string> {
  try {
    await read(run);
  } catch (error) {
    assert(error instanceof PluginFailure, String(error));
    assert.equal(error.options.retryable, false, error.message);
    return error.code;
  }
  return 'none';
}

describe('extract-text on files it cannot read', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000', 'hex');
  const oldWord = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  const mail = (field: string): { readonly source: Buffer; readonly name: string } => ({
    source: Buffer.from(
      `From a@example.org Mon Nov  2 2026\r\nFrom: a@example.org\r\n${field}\r\n\r\nSGVsbG8=\r\n`,
    ),
    name: 'a.eml',
  });
  type Case = readonly [title: string, code: string, run: PluginRun & { readonly source: Buffer }];
  const cases: readonly Case[] = [
    ['an empty file', 'EMPTY_FILE', { source: Buffer.alloc(0) }],
    ['a blank text', 'EMPTY_FILE', { source: Buffer.from(' \n\t\n') }],
    ['a PDF of pictures', 'EMPTY_FILE', { source: fixture('scan.pdf') }],
    ['a PDF with a password', 'ENCRYPTED_FILE', { source: fixture('locked.pdf') }],
    ['a DOCX with a password', 'ENCRYPTED_FILE', { source: fixture('locked.docx') }],
    [
      'a zip with a password',
      'ENCRYPTED_FILE',
      { source: docx({ ...zipEntry('word/document.xml', 'x'), encrypted: true }) },
    ],
    ['a PDF that is cut off', 'UNREADABLE_FILE', { source: fixture('handbook.pdf').subarray(0, 70_000) }],
    [
      'a DOCX that is cut off',
      'UNREADABLE_FILE',
      { source: fixture('minutes.docx').subarray(0, 20_000), mediaType: docxType },
    ],
    ['bytes that claim to be PDF', 'UNREADABLE_FILE', { source: png, mediaType: 'application/pdf' }],
    ['broken JSON', 'UNREADABLE_FILE', { source: Buffer.from('{"a": 1,}'), name: 'a.json' }],
    ['a picture', 'UNSUPPORTED_MEDIA_TYPE', { source: png, mediaType: 'image/png' }],
    [
      'an archive',
      'UNSUPPORTED_MEDIA_TYPE',
      { source: zip([zipEntry('a.txt', 'hello')]), mediaType: 'application/zip' },
    ],
    ['a mail of parts', 'UNSUPPORTED_MEDIA_TYPE', mail('Content-Type: multipart/mixed;\r\n boundary=b')],
    ['a mail in base64', 'UNSUPPORTED_MEDIA_TYPE', mail('Content-Transfer-Encoding: base64')],
    [
      'a part of a mail in base64',
      'UNSUPPORTED_MEDIA_TYPE',
      { source: Buffer.from('Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n') },
    ],
    [
      'a mail without its sender',
      'UNSUPPORTED_MEDIA_TYPE',
      { source: Buffer.from('Received: from b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n') },
    ],
    ['an old Word file', 'UNSUPPORTED_MEDIA_TYPE', { source: oldWord, mediaType: 'application/msword' }],
  ];
  /** Enough to show that a child process passes the code on. */
  const inChild = ['a PDF with a password', 'a DOCX that is cut off'];
  for (const [title, code, run] of cases) {
    it(`rejects ${title} with ${code}`, async () => {
      assert.equal(await (inChild.includes(title) ? failure(run) : failure(run, extractHere)), code);
    });
  }

  it('names a format that it cannot read, and what to do', async () => {
    const openDocument = (kind: string): Buffer =>
      zip([zipEntry('mimetype', `application/vnd.oasis.opendocument.${kind}`)]);
    const compound = (...names: readonly string[]): Buffer =>
      Buffer.concat([oldWord, ...names.map((name) => Buffer.from(name, 'utf16le'))]);
    const messages: readonly (readonly [source: Buffer, message: RegExp])[] = [
      [openDocument('spreadsheet'), /ODS.*save the file as XLSX/],
      [openDocument('presentation-template'), /ODP.*save the file as PPTX/],
      [openDocument('graphics'), /^OpenDocument files.*export the file as PDF/],
      [zip([zipEntry('xl/workbook.bin', 'x')]), /XLSB.*save the file as XLSX/],
      [zip([zipEntry('Index/Document.iwa', 'x')]), /^Files of Pages, Numbers and Keynote/],
      [compound('EncryptedPackage', '__substg1.0_0037001F'), /^Outlook messages/],
      [compound('WordDocument', '__substg1.0_0037001F'), /^Office formats before 2007/],
    ];
    for (const [source, message] of messages)
      await assert.rejects(extractHere({ source }), { code: 'UNSUPPORTED_MEDIA_TYPE', message });
  });

  it('rejects a config outside its limits', async () => {
    assert.equal(await failure({ source: Buffer.from('x'), config: { max_memory_mb: 1 } }), 'INVALID_CONFIG');
    assert.equal(
      await failure({ source: Buffer.from('x'), config: { timeout_seconds: 'long' } }),
      'INVALID_CONFIG',
    );
  });
});

describe('extract-text on hostile files', () => {
  it('stops unpacking a zip bomb at its limit, whatever size it claims', async () => {
    const limited = { max_unpacked_bytes: 16 * 1024 * 1024 };
    assert.equal(
      await failure({ source: docx(bomb('word/document.xml', 4000)), config: limited }),
      'ARCHIVE_TOO_LARGE',
    );
    assert.equal(
      await failure({ source: docx(bomb('word/document.xml', 4000, 1000)), config: limited }),
      'UNREADABLE_FILE',
    );
  });

  it('counts the entries of the documents in a document as well, and what they unpack to', async () => {
    const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const related = ['a', 'b'].map(
      (id) => `<Relationship Id="${id}" Type="${relationships}/aFChunk" Target="${id}.docx"/>`,
    );
    const twice = (document: Buffer): Buffer =>
      zip([
        contentTypes,
        zipEntry(
          'word/document.xml',
          `<body xmlns:r="${relationships}"><altChunk r:id="a"/><altChunk r:id="b"/></body>`,
        ),
        zipEntry('word/_rels/document.xml.rels', `<r>${related.join('')}</r>`),
        zipEntry('word/a.docx', document),
        zipEntry('word/b.docx', document),
      ]);
    const part = (spaces: number): ZipEntry =>
      zipEntry('word/document.xml', `<p><r><t>a</t></r>${' '.repeat(spaces)}</p>`);
    const limited = { max_unpacked_bytes: 16 * 1024 * 1024 };
    assert.equal(
      await failure({ source: twice(docx(part(9 * 1024 * 1024))), config: limited }),
      'ARCHIVE_TOO_LARGE',
    );
    const many = zip(Array<ZipEntry>(50_000).fill(part(0)));
    assert.equal(await failure({ source: twice(many) }), 'ARCHIVE_TOO_LARGE');
  });

  it('stops when it takes too long', async () => {
    // What it draws is kept in memory, which must not come to its limit first.
    const run = { source: doublingPdf(40), config: { timeout_seconds: 1, max_memory_mb: 2048 } };
    assert.equal(await failure(run), 'EXTRACTION_TIMED_OUT');
  });

  it('stops at the maximum text size', async () => {
    const text = Buffer.alloc(3_000_000, 'word ');
    assert.equal(
      await failure({ source: text, config: { max_output_bytes: 1_000_000 } }),
      'OUTPUT_TOO_LARGE',
    );
  });

  it('rejects deep nesting', async () => {
    assert.equal(await failure({ source: odt('<a>'.repeat(1_000_000)) }, extractHere), 'UNREADABLE_FILE');
  });

  it('reads a page whose elements are nested without end', async () => {
    for (const [open, close, text] of [
      ['<div>', '</div>', /x[^]*y/],
      ['<b>', '', /x[^]*y/],
      ['<blockquote><ul><li>', '</i>', /x[^]*y/],
      ['<svg>', '</svg>', /x[^]*y/],
      ['<title/>', '</title>', /^# x\n\ny$/],
      ['<script/>', '</script>', /^y$/],
    ] as const) {
      const source = `<html><body>${open.repeat(30_000)}x${close.repeat(30_000)} <p>y`;
      assert.match((await extract({ source, name: 'a.html' })).text, text);
    }
  });

  it('does not expand entities', async () => {
    const laughs =
      '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><body><text><p>&b;</p></text></body>';
    assert.equal(await failure({ source: odt(laughs) }, extractHere), 'UNREADABLE_FILE');
  });

  it('never holds a large source in memory', async () => {
    const block = Buffer.alloc(1024 * 1024, 1);
    const source = (): Readable => Readable.from(Array<Buffer>(256).fill(block), { objectMode: false });
    const held = (): number => process.memoryUsage().arrayBuffers;
    const before = held();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, held())), 5);
    assert.equal(await failure({ source, name: 'large.bin' }), 'UNSUPPORTED_MEDIA_TYPE');
    clearInterval(watch);
    assert(peak - before < 128 * 1024 * 1024, `buffers grew by ${peak - before} bytes`);
  });
});

describe('documents that share the processes that read them', () => {
  it('fail separately: those beside them and after them are read as usual', async () => {
    const config = { timeout_seconds: 60, max_memory_mb: 256, max_unpacked_bytes: 2 ** 24 };
    const endless = { ...config, timeout_seconds: 1 };
    const hostile: readonly (readonly [codes: RegExp, run: PluginRun])[] = [
      // Whichever limit it meets first.
      [/^EXTRACTION_(TIMED_OUT|OUT_OF_MEMORY)$/, { source: doublingPdf(40), config: endless }],
      // It unpacks to gigabytes.
      [/^EXTRACTION_OUT_OF_MEMORY$/, { source: pdfBomb(3000), config }],
      [/^ARCHIVE_TOO_LARGE$/, { source: docx(bomb('word/document.xml', 200)), mediaType: docxType, config }],
      [/^UNREADABLE_FILE$/, { source: fixture('handbook.pdf').subarray(0, 70_000), config }],
    ];
    const good = ['handbook.pdf', 'minutes.docx', 'review.pptx', 'stock.xlsx', 'report.odt', 'tales.epub'];
    const read = async (name: string): Promise<string> =>
      (await extract({ name, source: fixture(name), config })).text;
    const alone = new Map<string, string>();
    for (const name of good) alone.set(name, await read(name));

    const codes = hostile.map(async ([code, run]) => assert.match(await failure(run), code));
    const texts = good.map(async (name) => assert.equal(await read(name), alone.get(name), name));
    await Promise.all([...codes, ...texts]);
    for (const name of good) assert.equal(await read(name), alone.get(name), name);
  });
});

describe('extract-text and chunk-text during long tasks', () => {
  it('read a text within seconds during twenty crafted files of each format', async () => {
    const stop = new AbortController();
    // Each of the many runs listens to it.
    setMaxListeners(0, stop.signal);
    const endless = doublingPdf(40);
    const crafts = Object.entries(crafted).flatMap(([format, cases]) => {
      const [craft] = Object.values(cases);
      const source = format === 'pdf' ? endless : Buffer.from(craft?.(50_000) as string);
      return Array.from({ length: 20 }, () => ({ source, name: `crafted.${format}` }));
    });
    let ended = 0;
    const others = crafts.map((run) =>
      runPlugin(extractText, { ...run, signal: stop.signal })
        .catch(() => undefined)
        .finally(() => (ended += 1)),
    );
    const text = Buffer.alloc(200_000, 'A plain text of some length. ');
    const read = await runPlugin(extractText, { source: text, name: 'plain.txt' });
    const { artifacts } = await runPlugin(chunkText, {
      inputs: { text: read.artifacts.get('text')?.content as string },
    });
    const endedBefore = ended;
    stop.abort(new Error('enough'));
    await Promise.all(others);
    assert(artifacts.get('chunks')?.content.chunks.length > 50);
    assert(endedBefore < crafts.length / 10, `${endedBefore} of ${crafts.length} ended before the text`);
  });

  it('do not reserve the place for short tasks for files that only look like text', async () => {
    const source = readFileSync(new URL('../fixtures/minutes.docx', import.meta.url));
    const { artifacts } = await runPlugin(extractText, { source, name: 'a.txt', mediaType: 'text/plain' });
    assert.equal(artifacts.get('metadata')?.content.format, 'docx');
  });
});
