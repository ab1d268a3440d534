// What extract-text is compared with: the libraries that it is made of, in a process of their own, and nothing around
// them. `node extract.mjs pdf|docx|html FILE` prints how many characters there are.
import { readFileSync } from 'node:fs';

const extractors = { pdf: extractPdf, docx: extractDocx, html: extractHtml };
const [format = '', file = ''] = process.argv.slice(2);
console.log((await extractors[format](readFileSync(file))).length);

async function extractPdf(bytes) {
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globalThis[name] = Object;
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pdf = await getDocument({
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    verbosity: VerbosityLevel.ERRORS,
  }).promise;
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
    page.cleanup();
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

/** Turndown copies all it has so far for every child: it is given a few blocks at a time, here as there. */
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
