import { fileFault } from '../failures.js';
import type { DocumentProperties, Extractor } from '../document.js';
import { pageText } from '../pdf/page-text.js';
import { pageLines } from '../pdf/lines.js';
import { allocate, usePdfium, type Pdfium } from '../pdf/pdfium.js';
import { Annotations } from '../pdf/annotations.js';
import { TextBuffer } from '../pdf/text-buffer.js';

export const extractPdf: Extractor = ({ source, progress }, out) =>
  usePdfium((pdfium) => {
    const document = open(pdfium, source.read(0, source.sizeBytes));
    const pages = pdfium._FPDF_GetPageCount(document);
    const annotations = new Annotations(pdfium, document);
    let shown = 0;
    for (let number = 1; number <= pages; number++) {
      out.page();
      const page = pdfium._FPDF_LoadPage(document, number - 1);
      out.block(pageText(pageLines(pdfium, page, number)));
      annotations.write(page, out);
      pdfium._FPDF_ClosePage(page);
      const percent = Math.floor((number / pages) * 100);
      if (percent > shown) progress(percent / 100, `Page ${number} of ${pages}`);
      shown = percent;
    }
    return { ...properties(pdfium, document), pageCount: pages, markdown: false };
  });

/** Error codes of FPDF_GetLastError. */
const lastErrors = { password: 4, security: 5 };

function open(pdfium: Pdfium, bytes: Buffer): number {
  const address = allocate(pdfium, bytes.length);
  pdfium.HEAPU8.set(bytes, address);
  const document = pdfium._FPDF_LoadMemDocument(address, bytes.length, 0);
  if (document !== 0) return document;
  const error = pdfium._FPDF_GetLastError();
  if (error === lastErrors.password) throw fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
  if (error === lastErrors.security)
    throw fileFault('ENCRYPTED_FILE', 'The encryption of the file is not supported');
  throw new Error('It is damaged, or not a PDF');
}

/** What ReportLab writes when a program names no title or author. */
const placeholders = new Set(['untitled', 'anonymous', '(anonymous)']);

function properties(pdfium: Pdfium, document: number): Partial<DocumentProperties> {
  const texts = new TextBuffer(pdfium);
  const info = (key: string): string => {
    const name = allocate(pdfium, key.length + 1);
    pdfium.HEAPU8.set(Buffer.from(`${key}\0`), name);
    return texts.read((buffer, bytes) => pdfium._FPDF_GetMetaText(document, name, buffer, bytes));
  };
  return {
    title: named(info('Title')),
    author: named(info('Author')),
    language: texts.read((buffer, bytes) => pdfium._FPDFCatalog_GetLanguage(document, buffer, bytes)),
    createdAt: isoDate(info('CreationDate')),
    modifiedAt: isoDate(info('ModDate')),
  };
}

function named(value: string): string | null {
  return placeholders.has(value.trim()) ? null : value;
}

/** Converts a PDF date, `D:YYYYMMDDHHmmSSOHH'mm'` with all but the year optional (ISO 32000-1, 7.9.4), to ISO 8601. */
export function isoDate(value: string): string | null {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(value);
  if (!match) return null;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    ,
    offset,
    offsetMinutes = '00',
  ] = match;
  const zone = offset ? `${offset}:${offsetMinutes}` : 'Z';
  return `${String(year)}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
