import { Archive, type ArchiveSource } from './office/archive.js';
import type { TextWriter } from './text-writer.js';

export { mediaTypes, type Format } from '../../core/documents/document-format.js';

export interface SourceDocument {
  /** Has a file descriptor, except for a short text, which is not an archive. */
  readonly source: ArchiveSource;
  /** The resource's name: a file name or a title. */
  readonly name: string;
  readonly mediaType: string | null;
  readonly maxUnpackedBytes: number;
  /** Whether to read only texts: other formats fail with NOT_TEXT and must be read elsewhere. */
  readonly onlyText?: boolean;
  /** Whether to extract only the main part of a web page; `auto`: if it has at least half of the words. */
  readonly mainContent: 'auto' | 'always' | 'never';
  readonly progress: (fraction: number, message: string) => void;
}

export interface OpenDocument extends SourceDocument {
  /** Opens the file as an archive, once. Throws an Error if it is not an archive. */
  archive(): Promise<Archive>;
}

export function openDocument(document: SourceDocument): OpenDocument {
  let opened: Promise<Archive> | undefined;
  return {
    ...document,
    archive: () => (opened ??= Archive.open(document.source, document.maxUnpackedBytes)),
  };
}

/** Document properties besides the text. Undefined, null and blank all mean unknown. */
export interface DocumentProperties {
  readonly title?: string | null | undefined;
  readonly author?: string | null | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | null | undefined;
  /** Pages of a PDF or as the document declares, slides of a presentation, sheets of a workbook, chapters of a book. */
  readonly pageCount?: number | null | undefined;
  /** An ISO 8601 date or date and time. */
  readonly createdAt?: string | null | undefined;
  readonly modifiedAt?: string | null | undefined;
  /** The character encoding of a text file. */
  readonly encoding?: string | null | undefined;
  /** Whether the extracted text is Markdown. */
  readonly markdown: boolean;
}

export type Extractor = (document: OpenDocument, out: TextWriter) => Promise<DocumentProperties>;
