import { randomBytes } from 'node:crypto';
import { pdf, stream } from '../../../test/plugins/support/pdf.js';
import { zip, zipEntry } from '../../../test/plugins/support/zip.js';

const words =
  'the archive keeps every letter that came in and each answer that went out by year and by name'.split(' ');

/** Returns a different sentence for every number. */
function sentence(number: number): string {
  const chosen = Array.from({ length: 14 }, (_, index) => words[(number * 7 + index * 5) % words.length]);
  return `In the year ${1500 + (number % 500)} ${chosen.join(' ')}, as number ${number} says.`;
}

function paragraphs(bytes: number, make: (text: string) => string): string {
  const made: string[] = [];
  for (let number = 0, length = 0; length < bytes; number += 4) {
    const text = make([0, 1, 2, 3].map((index) => sentence(number + index)).join(' '));
    length += text.length;
    made.push(text);
  }
  return made.join('\n');
}

/** Returns a text of at least one line that differs for every number. */
export function makeText(number: number, bytes: number): Buffer {
  const count = Math.max(1, Math.round(bytes / 100));
  return Buffer.from(
    Array.from({ length: count }, (_, line) => `${number}: ${sentence(number + line)}`).join('\n'),
  );
}

/** Returns a PDF with 40 lines of text on each page. */
export function makePdf(pages: number): Buffer {
  const first = 4;
  const page = (index: number): Buffer => {
    const lines = Array.from({ length: 40 }, (_, line) => `(${sentence(index * 40 + line)}) Tj T*`);
    return stream(Buffer.from(`BT /F 10 Tf 14 TL 50 740 Td\n${lines.join('\n')}\nET`));
  };
  const kids = Array.from({ length: pages }, (_, index) => `${first + 2 * index} 0 R`);
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...kids.flatMap((_, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * index + 1} 0 R >>`,
      page(index),
    ]),
  ]);
}

/** Returns a DOCX with this many bytes of text, and a picture that fills the rest of its size. */
export function makeDocx(textBytes: number, bytes: number): Buffer {
  const body = paragraphs(textBytes, (text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`);
  const types = 'http://schemas.openxmlformats.org';
  const main = `${types}/wordprocessingml/2006/main`;
  const entries = [
    zipEntry(
      '[Content_Types].xml',
      `<?xml version="1.0"?><Types xmlns="${types}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    zipEntry(
      '_rels/.rels',
      `<?xml version="1.0"?><Relationships xmlns="${types}/package/2006/relationships"><Relationship Id="r1" Type="${types}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    zipEntry(
      'word/document.xml',
      `<?xml version="1.0"?><w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`,
    ),
  ];
  const rest = bytes - zip(entries).length;
  return zip([...entries, zipEntry('word/media/image1.png', randomBytes(Math.max(0, rest)))]);
}

/** Returns a web page with an article of this many bytes. */
export function makeHtml(bytes: number): Buffer {
  const article = paragraphs(
    bytes,
    (text) => `<h2>${text.slice(0, 40)}</h2><p>${text} <a href="/more">More</a></p>`,
  );
  const head = '<head><meta charset="utf-8"><title>The archive</title></head>';
  return Buffer.from(
    `<!doctype html><html lang="en">${head}<body><nav><a href="/">Home</a></nav><article><h1>The archive</h1>${article}</article></body></html>`,
  );
}
