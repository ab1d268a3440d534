import type { ChildSource } from '../sdk/child-task.js';
import type { TextWriter } from './text-writer.js';

/** The formats that can be read, and the media type each is reported as. */
export const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  epub: 'application/epub+zip',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  plain: 'text/plain',
} as const;

export type Format = keyof typeof mediaTypes;

/** A file to read. */
export interface SourceDocument {
  readonly source: ChildSource;
  /** The resource's name: a file name or a title. */
  readonly name: string;
  readonly mediaType: string | null;
  readonly maxUnpackedBytes: number;
  progress(fraction: number, message: string): void;
}

/** What a format tells of a document besides its text. Absent, null and blank mean the same: not known. */
export interface Findings {
  readonly title?: string | null | undefined;
  readonly author?: string | null | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | null | undefined;
  /** Pages of a PDF, slides of a presentation, sheets of a workbook. */
  readonly pages?: number | null | undefined;
  /** An ISO 8601 date or date and time. */
  readonly createdAt?: string | null | undefined;
  readonly modifiedAt?: string | null | undefined;
  /** The character encoding of a text file. */
  readonly encoding?: string | null | undefined;
  /** Whether the text that was written is Markdown. */
  readonly markdown: boolean;
}

/** Writes a document's text to `out`. */
export type Extractor = (document: SourceDocument, out: TextWriter) => Promise<Findings>;

/** Loads the one parser that is needed: starting up is a good part of reading a small file. */
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
