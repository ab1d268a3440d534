import { claimedFormat } from '../../core/documents/document-format.js';
import { textFormatOf, type TextFormat } from '../../core/documents/text-shape.js';
import type { Archive } from './office/archive.js';
import { asciiOf, decodeText, looksLikeText } from './encoding.js';
import { fileFault } from './failures.js';
import { isEncodedMessage } from './mime.js';
import { mediaTypes, type Format, type OpenDocument, type SourceDocument } from './document.js';

const startBytes = 65_536;

const textFormats: ReadonlySet<Format> = new Set<TextFormat>(['html', 'markdown', 'csv', 'json', 'plain']);

/**
 * Whether a format is read in time proportional to its size. Other formats are compressed, or their parser gives no
 * such guarantee.
 */
export function isText(format: Format): boolean {
  return textFormats.has(format);
}

/**
 * Detects a document's format from its bytes. If these leave several text formats open, the media type and then the
 * file extension choose among them. Throws ENCRYPTED_FILE, UNREADABLE_FILE (the bytes are damaged) or
 * UNSUPPORTED_MEDIA_TYPE.
 */
export async function detectFormat(document: OpenDocument): Promise<Format> {
  const start = document.source.read(0, startBytes);
  const claimed = claimedFormat(document);
  switch (kindOf(start, claimed)) {
    case 'pdf':
      return 'pdf';
    case 'zip':
      return zippedFormat(document, claimed);
    case 'compound':
      throw compoundFile(document);
    case 'rtf':
      throw unsupported('RTF files are not supported; save the file as DOCX or PDF', document);
    case 'mail':
      throw unsupported(
        'Mail files (EML, MHTML) that are encoded or have several parts are not supported; save the message as PDF or HTML',
        document,
      );
    case 'binary':
      if (claimed && !/\.xls$/i.test(document.name))
        throw fileFault('UNREADABLE_FILE', `The file is not a readable ${claimed.toUpperCase()} file`);
      throw unsupported('Files of this format contain no text', document);
    case 'text':
      return textFormat(document, start, claimed);
  }
}

/** Whether a file is plain text or Markdown, regardless of its declared type. */
export function isPlainOrMarkdown(document: SourceDocument): boolean {
  const start = document.source.read(0, startBytes);
  const claimed = claimedFormat(document);
  if (kindOf(start, claimed) !== 'text') return false;
  const format = textFormat(document, start, claimed);
  return format === 'plain' || format === 'markdown';
}

function kindOf(
  start: Buffer,
  claimed: Format | undefined,
): 'pdf' | 'zip' | 'compound' | 'rtf' | 'mail' | 'binary' | 'text' {
  if (/^(?:\u00ef\u00bb\u00bf)?\s*%PDF-/.test(start.toString('latin1', 0, 1024))) return 'pdf';
  if (start.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return 'zip';
  if (start.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return 'compound';
  if (start.subarray(0, 5).toString('latin1') === '{\\rtf') return 'rtf';
  // A PDF may have bytes before its header (ISO 32000-1, annex H, implementation note 13), and a text may mention one.
  const beginning = start.toString('latin1', 0, 1024);
  if (claimed === 'pdf' && /^%PDF-\d/m.test(beginning)) return 'pdf';
  if (looksLikeText(start)) return isEncodedMessage(start.toString('latin1')) ? 'mail' : 'text';
  return beginning.includes('%PDF-') ? 'pdf' : 'binary';
}

function textFormat({ source }: SourceDocument, start: Buffer, claimed: Format | undefined): TextFormat {
  return textFormatOf(asciiOf(start), claimed, () => {
    try {
      JSON.parse(decodeText(source.read(0, source.sizeBytes)).text);
      return true;
    } catch {
      return false;
    }
  });
}

async function zippedFormat(document: OpenDocument, claimed: Format | undefined): Promise<Format> {
  let archive: Archive;
  try {
    archive = await document.archive();
  } catch (error) {
    if (claimed) throw error;
    throw unsupported('The file is an archive that cannot be opened', document);
  }
  const type = archive.has('mimetype') ? (await archive.text('mimetype')).trim() : '';
  if (type === mediaTypes.odt || type === `${mediaTypes.odt}-template`) return 'odt';
  if (type === mediaTypes.epub) return 'epub';
  if (type.startsWith(openDocument)) throw unsupported(openDocumentFault(type), document);
  if (archive.has('META-INF/container.xml')) return 'epub';
  if (archive.has('ppt/presentation.xml')) return 'pptx';
  if (archive.has('xl/workbook.xml')) return 'xlsx';
  if (archive.names.some((name) => /^word\/document\d*\.xml$/i.test(name))) return 'docx';
  throw unsupported(archiveFault(archive), document);
}

const openDocument = 'application/vnd.oasis.opendocument.';

function openDocumentFault(type: string): string {
  if (type.startsWith(`${openDocument}spreadsheet`)) {
    return 'OpenDocument spreadsheets (ODS) are not supported; save the file as XLSX';
  }
  if (type.startsWith(`${openDocument}presentation`)) {
    return 'OpenDocument presentations (ODP) are not supported; save the file as PPTX';
  }
  return 'OpenDocument files of this kind are not supported; export the file as PDF';
}

function archiveFault(archive: Archive): string {
  if (archive.has('xl/workbook.bin')) {
    return 'Binary Excel workbooks (XLSB) are not supported; save the file as XLSX';
  }
  if (archive.names.some((name) => /^(?:Index\/Document\.iwa|Index\.zip|index\.apxl)$/.test(name))) {
    return 'Files of Pages, Numbers and Keynote are not supported; export the file as PDF';
  }
  return 'Archives are not supported; unpack the file and add what it contains';
}

/** Returns the error for an OLE compound file: password-protected OOXML, a message of Outlook, or Office before 2007. */
function compoundFile(document: SourceDocument): Error {
  const bytes = document.source.read(0, Number.MAX_SAFE_INTEGER);
  const has = (name: string): boolean => bytes.includes(Buffer.from(name, 'utf16le'));
  // A message may have an encrypted file attached, and be embedded in an Office file.
  if (has('__substg1.0_') && !['WordDocument', 'Workbook', 'PowerPoint Document'].some(has)) {
    return unsupported('Outlook messages (MSG) are not supported; save the message as PDF or HTML', document);
  }
  if (has('EncryptedPackage')) return fileFault('ENCRYPTED_FILE', 'The file is protected by a password');
  return unsupported(
    'Office formats before 2007 are not supported; save the file as DOCX, XLSX or PPTX',
    document,
  );
}

function unsupported(message: string, { mediaType }: SourceDocument): Error {
  return fileFault('UNSUPPORTED_MEDIA_TYPE', message, { media_type: mediaType });
}
