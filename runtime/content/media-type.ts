import { fileTypeFromBuffer } from 'file-type';
import { claimedFormat, mediaTypes } from '../../core/documents/document-format.js';
import { textFormatOf } from '../../core/documents/text-shape.js';
import { decodeIfText, isJson, isUnicode, looksLikeHtmlFragment, markupType } from './text-sniffing.js';

const { docx, xlsx, pptx, odt, epub } = mediaTypes;

/** Document formats based on zip, by file extension. */
const zipTypes: Readonly<Record<string, string>> = {
  ...{ docx, xlsx, pptx, odt, epub },
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
};

/** Document formats in Microsoft's older container, by file extension. */
const compoundTypes: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
};

const textTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  rst: 'text/x-rst',
  tex: 'application/x-tex',
  eml: 'message/rfc822',
  srt: 'application/x-subrip',
};

/** File extensions that only say that the content is text. */
const plainEndings = new Set(['txt', 'text', 'log']);

/** Text-based formats: only these may be chosen by the first bytes of a text, which can start with any characters. */
const readableTypes = new Set([
  'application/pdf',
  'application/rtf',
  'application/postscript',
  'application/pgp-encrypted',
  'text/calendar',
  'text/vcard',
  'text/vtt',
]);

const textual =
  /^(?:text\/.+|message\/rfc822|application\/(?:(?:x-)?(?:json|ndjson|yaml|javascript|tex)|xml|.+\+(?:json|xml)))$/;

function essenceOf(declared: string | undefined): string {
  const essence = (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,120}$/.test(essence) ? essence : '';
}

function endingOf(fileName: string | undefined): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(fileName ?? '')?.[1]?.toLowerCase() ?? '';
}

function own(types: Readonly<Record<string, string>>, ending: string): string | undefined {
  return Object.hasOwn(types, ending) ? types[ending] : undefined;
}

async function signatureOf(head: Buffer): Promise<string | null> {
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? null;
  } catch {
    return null; // The file is truncated in the middle of a structure that its signature announces.
  }
}

/** Types of exported tables. */
const exportTypes = new Set(['text/html', 'text/csv', 'text/tab-separated-values']);

function typeOfText(text: string, ending: string, declared: string): string {
  const markup = markupType(text);
  if (markup !== null && markup !== 'application/xml') return markup;
  const known = own(textTypes, ending);
  const named = plainEndings.has(ending) ? 'plain' : claimedFormat({ mediaType: null, name: `a.${ending}` });
  // Programs give tables in text the name of a workbook.
  const isExport =
    (own(zipTypes, ending) ?? own(compoundTypes, ending)) !== undefined && exportTypes.has(declared);
  const claimed = isExport ? claimedFormat({ mediaType: declared, name: '' }) : named;
  if (claimed !== undefined) {
    const format = textFormatOf(text, claimed, () => isJson(text));
    return format === claimed
      ? (known ?? (isExport ? declared : mediaTypes[format]))
      : (markup ?? mediaTypes[format]);
  }
  const shown = known ?? markup ?? (isJson(text) ? 'application/json' : null);
  if (shown !== null) return shown;
  if (textual.test(declared) && declared !== 'text/plain') return declared;
  return declared === '' && looksLikeHtmlFragment(text) ? 'text/html' : 'text/plain';
}

interface Hints {
  readonly fileName?: string | undefined;
  /** The Content-Type from the sender. */
  readonly declared?: string | undefined;
}

/**
 * Detects a media type from the first bytes (64 KiB are enough) and, only if they are ambiguous, from the file name and
 * the type the sender declared. Unknown content is `application/octet-stream`. The only parameter is the declared
 * charset of a text, unless the bytes are UTF-8 or UTF-16. Never throws.
 */
export async function detectMediaType(head: Buffer, hints: Hints = {}): Promise<string> {
  const type = await detectEssence(head, hints);
  const charset = /;\s*charset\s*=\s*"?([a-z0-9._:-]{1,40})"?\s*(?:;|$)/i
    .exec(hints.declared ?? '')?.[1]
    ?.toLowerCase();
  if (charset === undefined || !textual.test(type) || isUnicode(head)) return type;
  return /^(?:utf-?8|us-ascii|ascii)$/.test(charset) ? type : `${type}; charset=${charset}`;
}

async function detectEssence(head: Buffer, { fileName, declared }: Hints): Promise<string> {
  const ending = endingOf(fileName);
  const said = essenceOf(declared);
  const text = decodeIfText(head);
  const signature = await signatureOf(head);
  // Readers accept a PDF that begins a little later: ISO 32000-1, annex H, implementation note 13. A text may mention one.
  const beginning = head.toString('latin1', 0, 1024);
  if (text !== null) {
    if (/^%PDF-\d/m.test(beginning) && (ending === 'pdf' || said === 'application/pdf'))
      return 'application/pdf';
    return signature !== null && readableTypes.has(signature) ? signature : typeOfText(text, ending, said);
  }
  if (signature === 'application/zip') {
    return own(zipTypes, ending) ?? (Object.values(zipTypes).includes(said) ? said : signature);
  }
  if (signature === 'application/x-cfb') {
    return own(compoundTypes, ending) ?? (Object.values(compoundTypes).includes(said) ? said : signature);
  }
  if (signature !== null) return signature;
  return beginning.includes('%PDF-') ? 'application/pdf' : 'application/octet-stream';
}
