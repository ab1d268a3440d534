import type { Extractor, Format } from './document.js';

/** Loads only the parser that is needed: loading takes a large part of the time for a small file. */
export const extractors: Record<Format, () => Promise<Extractor>> = {
  pdf: async () => (await import('./formats/pdf.js')).extractPdf,
  docx: async () => (await import('./formats/docx.js')).extractDocx,
  pptx: async () => (await import('./formats/pptx.js')).extractPptx,
  xlsx: async () => (await import('./formats/xlsx.js')).extractXlsx,
  odt: async () => (await import('./formats/odt.js')).extractOdt,
  epub: async () => (await import('./formats/epub.js')).extractEpub,
  html: async () => (await import('./formats/html.js')).extractHtml,
  markdown: async () => (await import('./formats/markdown.js')).extractMarkdown,
  csv: async () => (await import('./formats/csv.js')).extractCsv,
  json: async () => (await import('./formats/json.js')).extractJson,
  plain: async () => (await import('./formats/plain.js')).extractPlain,
};
