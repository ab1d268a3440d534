import type { Format } from './document-format.js';

/** The text-based formats: their bytes are also valid plain text. */
export type TextFormat = Extract<Format, 'html' | 'markdown' | 'csv' | 'json' | 'plain'>;

/**
 * Detects the format of a text from its beginning (64 KiB are enough). The format that its name and media type claim
 * only decides between formats that all fit: Markdown is plain text too, and one column of CSV is a list of lines.
 *
 * @param isJson Whether the whole text is JSON; asked only of a text that begins like an object or an array.
 */
export function textFormatOf(start: string, claimed: Format | undefined, isJson: () => boolean): TextFormat {
  if (beginsPage.test(start.slice(0, longestPrologue))) return 'html';
  if (claimed !== 'json' && beginsCollection.test(start) && isJson()) return 'json';
  switch (claimed) {
    case undefined:
    case 'plain':
    case 'markdown':
      return claimed ?? 'plain';
    case 'json':
      return beginsJson.test(start) ? 'json' : markdownOrPlain(start);
    case 'csv':
      return !looksLikeMarkdown(start) && looksLikeRows(start) ? 'csv' : markdownOrPlain(start);
    case 'html':
      return beginsWithTag.test(start) || (hasMarkup.test(start) && !looksLikeMarkdown(start))
        ? 'html'
        : markdownOrPlain(start);
    default:
      return beginsFragment.test(start.slice(0, longestPrologue)) &&
        !markdownSigns.some((sign) => sign.test(start))
        ? 'html'
        : markdownOrPlain(start);
  }
}

function markdownOrPlain(start: string): 'markdown' | 'plain' {
  return looksLikeMarkdown(start) ? 'markdown' : 'plain';
}

// Matches a comment up to its first end. Allowing more would make the pattern backtrack through every
// combination.
const longestPrologue = 8192;
const beginsPage =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*){0,1000}<(?:!doctype\s+html|html|head|body)[\s>]/i;
const beginsWithTag = /^\s*<(?:[a-z][a-z0-9]{0,9}[\s>/]|!--|!doctype|\?xml)/i;
/** Elements with which a part of a page begins; Markdown and components of programs may begin with them too. */
const beginsFragment =
  /^\s*(?:<!--(?:(?!-->)[^])*-->\s*){0,1000}<(?:a|article|b|blockquote|br|center|div|font|form|h[1-6]|header|hr|img|link|main|meta|nav|ol|p|pre|script|section|span|style|table|tbody|thead|title|tr|ul)[\s>/]/i;
const hasMarkup = /<\/?[a-z][a-z0-9]{0,9}(?:\s[^<>]*)?\/?>|&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});/i;
const beginsCollection = /^\s*(?:\{\s*["}]|\[\s*(?:["[{\]\d-]|true|false|null))/;
const beginsJson =
  /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:["[{\]\d-]|true|false|null|$)|"|-?\d|(?:true|false|null)\s*$)/;

/** Signs of Markdown. Other kinds of text may contain one of them, such as `# …` in a script. */
const markdownSigns = [
  /^ {0,3}#{1,6}[ \t]+\S/m,
  /^ {0,3}(?:```|~~~)/m,
  /\[[^[\]\n]+\]\([^()\s]+\)/,
  /^[ \t]*[-*+] \S/m,
  /\*\*[^\s*][^*\n]*\*\*/,
  /^ {0,3}\|?(?: ?:?-{3,}:? ?\|)+/m,
  /^\S.*\n(?:={3,}|-{3,})[ \t]*\r?$/m,
];
const beginsWithHeading = /^\s*#{1,6}[ \t]+\S[^\n]*\n[ \t\r]*(?:\n|$)/;

function looksLikeMarkdown(text: string): boolean {
  return beginsWithHeading.test(text) || markdownSigns.filter((sign) => sign.test(text)).length >= 2;
}

const mostRows = 50;
const longestValue = 100;

/**
 * Whether most rows have the same number of fields, split by the same character, or each row is a single
 * short value.
 */
function looksLikeRows(text: string): boolean {
  if ([',', ';', '\t', '|'].some((divider) => areAlike(fieldCounts(text, divider)))) return true;
  const lines = text.trim().split(/\r\n?|\n/);
  return lines.every((line) => line.trim() !== '' && line.length <= longestValue);
}

function areAlike(counts: readonly number[]): boolean {
  const rows = new Map<number, number>();
  for (const count of counts) if (count > 1) rows.set(count, (rows.get(count) ?? 0) + 1);
  return counts.length > 0 && Math.max(0, ...rows.values()) * 2 > counts.length;
}

/** Field counts of the first non-blank rows. */
function fieldCounts(text: string, divider: string): readonly number[] {
  const counts: number[] = [];
  let fields = 1;
  let isBlank = true;
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === divider && !isQuoted) fields++;
    if (character === '\n' && !isQuoted) {
      if (!isBlank && counts.push(fields) === mostRows) return counts;
      [fields, isBlank] = [1, true];
    } else if (character.trim() !== '') isBlank = false;
  }
  if (!isBlank) counts.push(fields);
  return counts;
}
