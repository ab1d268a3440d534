import { claimedFormat } from '../../core/document-format.js';
import type { Archive } from './office/archive.js';
import { looksLikeText } from './encoding.js';
import { fileFault } from './failures.js';
import { mediaTypes, type Format, type OpenDocument, type SourceDocument } from './document.js';

const startBytes = 65_536;

/** The text formats that are told apart by name: as bytes, each is plain text as well. */
const textFormats: ReadonlySet<Format> = new Set(['html', 'markdown', 'csv', 'json', 'plain']);

/** Whether a format is read in time proportional to its size. The others are packed, or their parser promises no such bound. */
export function isText(format: Format): boolean {
  return textFormats.has(format);
}

/**
 * Tells a document's format: what its bytes show wins over its media type, and that over the extension of its name.
 * Throws ENCRYPTED_FILE, UNREADABLE_FILE (the bytes are not what they claim to be) or UNSUPPORTED_MEDIA_TYPE.
 */
export async function detectFormat(document: OpenDocument): Promise<Format> {
  const start = document.source.read(0, startBytes);
  const claimed = claimedFormat(document);
  switch (kindOf(start)) {
    case 'pdf':
      return 'pdf';
    case 'zip':
      return zippedFormat(document, claimed);
    case 'compound':
      throw compoundFile(document);
    case 'rtf':
      throw unsupported('RTF files are not supported', document);
    case 'binary':
      if (claimed)
        throw fileFault('UNREADABLE_FILE', `The file is no readable ${claimed.toUpperCase()} file`);
      throw unsupported('The file is not of a format that has text', document);
    case 'text':
      if (claimed && !textFormats.has(claimed)) {
        throw fileFault('UNREADABLE_FILE', `The file is no readable ${claimed.toUpperCase()} file`);
      }
      if (claimed && claimed !== 'plain') return claimed;
      return looksLikeHtml(start) ? 'html' : 'plain';
  }
}

/** Whether a file is plain text or Markdown, whatever else it may claim to be. */
export function isPlainOrMarkdown(document: SourceDocument): boolean {
  const claimed = claimedFormat(document);
  if (claimed !== undefined && claimed !== 'plain' && claimed !== 'markdown') return false;
  const start = document.source.read(0, startBytes);
  return kindOf(start) === 'text' && (claimed === 'markdown' || !looksLikeHtml(start));
}

/** What the first bytes of a file show. */
function kindOf(start: Buffer): 'pdf' | 'zip' | 'compound' | 'rtf' | 'binary' | 'text' {
  if (start.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (start.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return 'zip';
  if (start.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return 'compound';
  if (start.subarray(0, 5).toString('latin1') === '{\\rtf') return 'rtf';
  return looksLikeText(start) ? 'text' : 'binary';
}

async function zippedFormat(document: OpenDocument, claimed: Format | undefined): Promise<Format> {
  let archive: Archive;
  try {
    archive = await document.archive();
  } catch (error) {
    if (claimed) throw error;
    throw unsupported('The file is an archive that cannot be opened', document);
  }
  if (archive.has('mimetype')) {
    const type = (await archive.text('mimetype')).trim();
    if (type === mediaTypes.odt || type === `${mediaTypes.odt}-template`) return 'odt';
    if (type === mediaTypes.epub) return 'epub';
  }
  if (archive.has('META-INF/container.xml')) return 'epub';
  if (archive.has('ppt/presentation.xml')) return 'pptx';
  if (archive.has('xl/workbook.xml')) return 'xlsx';
  if (archive.names.some((name) => /^word\/document\d*\.xml$/.test(name))) return 'docx';
  throw unsupported('Archives are not supported', document);
}

/** OLE compound files are password-protected OOXML or the formats of Office before 2007. */
function compoundFile(document: SourceDocument): Error {
  const bytes = document.source.read(0, Number.MAX_SAFE_INTEGER);
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
  }
  return unsupported('The formats of Office before 2007 are not supported', document);
}

function unsupported(message: string, { mediaType }: SourceDocument): Error {
  return fileFault('UNSUPPORTED_MEDIA_TYPE', message, { media_type: mediaType });
}

function looksLikeHtml(start: Buffer): boolean {
  const text = start.toString('latin1').replaceAll('\0', '');
  // A comment ends at its first end: one that might go on beyond it would be tried in every way there is.
  return /^[\s\u00ef\u00bb\u00bf\u00fe\u00ff]*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*(<!doctype html|<html)/is.test(
    text.slice(0, 4096),
  );
}
