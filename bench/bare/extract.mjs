// The comparison for extract-text: only the libraries that it uses, in a separate process. `node extract.mjs
// pdf|docx|html FILE` prints the number of characters.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const extractors = { pdf: extractPdf, docx: extractDocx, html: extractHtml };
const [format = '', file = ''] = process.argv.slice(2);
console.log((await extractors[format](readFileSync(file))).length);

async function extractPdf(bytes) {
  const { init } = await import('@embedpdf/pdfium');
  const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const { pdfium } = await init({ wasmBinary: readFileSync(wasm) });
  pdfium._FPDF_InitLibrary();
  const address = pdfium._malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, address);
  const document = pdfium._FPDF_LoadMemDocument(address, bytes.length, 0);
  const pages = [];
  for (let index = 0; index < pdfium._FPDF_GetPageCount(document); index++) {
    const page = pdfium._FPDF_LoadPage(document, index);
    const text = pdfium._FPDFText_LoadPage(page);
    const characters = pdfium._FPDFText_CountChars(text);
    const buffer = pdfium._malloc(characters * 2 + 2);
    pdfium._FPDFText_GetText(text, 0, characters, buffer);
    pages.push(Buffer.from(pdfium.HEAPU8.buffer, buffer, characters * 2).toString('utf16le'));
    pdfium._free(buffer);
    pdfium._FPDFText_ClosePage(text);
    pdfium._FPDF_ClosePage(page);
  }
  return pages.join('\n');
}

async function extractDocx(buffer) {
  const { default: mammoth } = await import('mammoth');
  const image = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: image });
  return await toMarkdown(value);
}

async function extractHtml(bytes) {
  const { parseHTML } = await import('linkedom');
  const { Readability } = await import('@mozilla/readability');
  return await toMarkdown(new Readability(parseHTML(bytes.toString()).document).parse().content);
}

/** Converts a few blocks at a time, since Turndown copies its whole output for every child. */
async function toMarkdown(html) {
  const { parseHTML } = await import('linkedom');
  const { default: Turndown } = await import('turndown');
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  let parent = document.body;
  while (parent.children.length === 1) parent = parent.children[0];
  const blocks = [...parent.childNodes];
  const parts = [];
  for (let start = 0; start < blocks.length; start += 32) {
    const holder = document.createElement('div');
    holder.append(...blocks.slice(start, start + 32));
    parts.push(service.turndown(holder));
  }
  return parts.join('\n\n');
}
