import { countCodePoints } from '../../core/documents/code-points.js';
import type { PageStart } from '../../core/documents/text-layout.js';
import { isOutOfMemory } from '../host/child-task.js';
import { messageOf, PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import { detectFormat, isText } from './detect.js';
import { fileFault } from './failures.js';
import {
  mediaTypes,
  openDocument,
  type DocumentProperties,
  type Format,
  type SourceDocument,
} from './document.js';
import { extractors } from './extractors.js';
import { languageOf } from './language.js';
import { terminalCodes, TextWriter, type WrittenText } from './text-writer.js';

/** The content of the `metadata` artifact. Unknown values are null. */
export interface DocumentMetadata extends Record<string, unknown> {
  readonly format: Format;
  readonly media_type: string;
  readonly text_format: 'markdown' | 'plain';
  readonly title: string | null;
  readonly author: string | null;
  /** A BCP 47 tag: the language that the document declares, or else the detected one. */
  readonly language: string | null;
  readonly page_count: number | null;
  /** Where each page, slide, sheet or chapter begins in the `text` artifact; null for formats without them. */
  readonly pages: readonly PageStart[] | null;
  /** Unicode code points. */
  readonly characters: number;
  readonly words: number;
  readonly encoding: string | null;
  readonly created_at: string | null;
  readonly modified_at: string | null;
}

/** Failure code for a document that is not a text and was to be read only if it is one. */
export const notText = 'NOT_TEXT';

export interface Extraction {
  readonly text: string;
  readonly metadata: DocumentMetadata;
}

/** Extracts a document of any supported format. Throws a non-retryable PluginFailure with a code of FileFault. */
export async function extract(document: SourceDocument, maxOutputBytes: number): Promise<Extraction> {
  if (document.source.sizeBytes === 0) throw fileFault('EMPTY_FILE', 'The file is empty');
  const { format, properties, text, pages } = await read(document, maxOutputBytes);
  if (text === '') {
    throw fileFault(
      'EMPTY_FILE',
      format === 'pdf' ? 'No text in the file: its pages may be scanned images' : 'No text in the file',
    );
  }
  return { text, metadata: await describe(format, properties, { text, pages }) };
}

async function read(
  document: SourceDocument,
  maxOutputBytes: number,
): Promise<{ format: Format; properties: DocumentProperties } & WrittenText> {
  try {
    const opened = openDocument(document);
    const format = await detectFormat(opened);
    if (document.onlyText && !isText(format)) throw new PluginFailure(notText, `The file is ${format}`);
    const out = new TextWriter(maxOutputBytes);
    const properties = await (await extractors[format]())(opened, out);
    return { format, properties, ...out.finish() };
  } catch (error) {
    if (error instanceof PluginFailure || isOutOfMemory(error)) throw error;
    throw fileFault('UNREADABLE_FILE', `The file cannot be read: ${messageOf(error).slice(0, 300)}`);
  }
}

async function describe(
  format: Format,
  properties: DocumentProperties,
  { text, pages }: WrittenText,
): Promise<DocumentMetadata> {
  return {
    format,
    media_type: mediaTypes[format],
    text_format: properties.markdown ? 'markdown' : 'plain',
    title: known(properties.title),
    author: known(properties.author),
    language: languageTag(properties.language) ?? (await languageOf(text)),
    page_count: properties.pageCount ?? null,
    pages,
    ...count(text),
    encoding: properties.encoding ?? null,
    created_at: timestamp(properties.createdAt),
    modified_at: timestamp(properties.modifiedAt),
  };
}

/** Returns a value in one line of at most 500 characters, or null if it is blank. */
function known(value: string | null | undefined): string | null {
  const text = value
    ?.replace(terminalCodes, '')
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  return text ? Array.from(text.slice(0, 2000)).slice(0, 500).join('') : null;
}

function languageTag(value: string | null | undefined): string | null {
  try {
    return value ? (Intl.getCanonicalLocales(value.trim().replaceAll('_', '-'))[0] ?? null) : null;
  } catch {
    return null;
  }
}

function timestamp(value: string | null | undefined): string | null {
  const time = value ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function count(text: string): { characters: number; words: number } {
  const word = /\S+/g;
  let words = 0;
  while (word.test(text)) words++;
  return { characters: countCodePoints(text), words };
}
