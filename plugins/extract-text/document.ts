import { Archive, type ArchiveSource } from './office/archive.js';
import type { TextWriter } from './text-writer.js';

export { mediaTypes, type Format } from '../../core/document-format.js';

/** A file to read. */
export interface SourceDocument {
  /** Has a file descriptor, except for a short text, which is not an archive. */
  readonly source: ArchiveSource;
  /** The resource's name: a file name or a title. */
  readonly name: string;
  readonly mediaType: string | null;
  readonly maxUnpackedBytes: number;
  /** Whether only a text is read here: other formats end with the failure NOT_TEXT, to be read elsewhere. */
  readonly onlyText?: boolean;
  /** Whether a web page's main part is taken in place of all of it; `auto`: where it has at least half of the words. */
  readonly mainContent: 'auto' | 'always' | 'never';
  readonly progress: (fraction: number, message: string) => void;
}

/** A file that is being read. */
export interface OpenDocument extends SourceDocument {
  /** The file as an archive, which is opened once. Throws an Error where it is none. */
  archive(): Promise<Archive>;
}

export function openDocument(document: SourceDocument): OpenDocument {
  let opened: Promise<Archive> | undefined;
  return {
    ...document,
    archive: () => (opened ??= Archive.open(document.source, document.maxUnpackedBytes)),
  };
}

/** Document properties besides the text. Absent, null and blank all mean unknown. */
export interface Findings {
  readonly title?: string | null | undefined;
  readonly author?: string | null | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | null | undefined;
  /** Pages of a PDF or as the document says, slides of a presentation, sheets of a workbook, chapters of a book. */
  readonly pageCount?: number | null | undefined;
  /** An ISO 8601 date or date and time. */
  readonly createdAt?: string | null | undefined;
  readonly modifiedAt?: string | null | undefined;
  /** The character encoding of a text file. */
  readonly encoding?: string | null | undefined;
  /** Whether the text that was written is Markdown. */
  readonly markdown: boolean;
}

/** Writes a document's text to `out`. */
export type Extractor = (document: OpenDocument, out: TextWriter) => Promise<Findings>;
