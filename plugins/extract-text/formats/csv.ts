import Papa from 'papaparse';
import type { Extractor, SourceDocument } from '../document.js';
import { writeTable } from '../markdown.js';
import { readText } from './plain.js';

/** A first line that tells Excel the delimiter. */
const separator = /^"?sep=(.)"?(?:\n|$)/i;

/** Converts CSV with any delimiter to a Markdown table whose header is the first row. */
export const extractCsv: Extractor = (document, out) => {
  const { text: read, encoding } = readText(document);
  const text = withLineFeeds(read.replace(/^\ufeff/, ''));
  const [line = '', named] = separator.exec(text) ?? [];
  const delimiter = named ?? (isTabbed(document) && text.includes('\t') ? '\t' : undefined);
  writeTable(parse(text.slice(line.length), delimiter), out);
  return Promise.resolve({ encoding, markdown: true });
};

function isTabbed({ mediaType, name }: SourceDocument): boolean {
  return /^\s*text\/tab-separated-values\b/i.test(mediaType ?? '') || /\.tsv$/i.test(name);
}

/** How much of a text shows which delimiter separates its cells. */
const guessLength = 65_536;

/** Reads quotation marks as usual up to the first wrong one; from that row on they are plain characters. */
function parse(text: string, named: string | undefined): string[][] {
  const options = { newline: '\n', skipEmptyLines: 'greedy', ...(named && { delimiter: named }) } as const;
  const { data, errors, meta } = Papa.parse<string[]>(text, options);
  const wrong = errors.find(({ type }) => type === 'Quotes')?.row;
  if (wrong === undefined) return data;
  if (errors.some(({ code }) => code === 'UndetectableDelimiter')) {
    const unquoted = text.slice(0, guessLength).replaceAll('"', '');
    return parse(text, Papa.parse(unquoted, options).meta.delimiter);
  }
  const { delimiter } = meta;
  const before = wrong === 0 ? null : Papa.parse<string[]>(text, { ...options, delimiter, preview: wrong });
  const rest = text.slice(before?.meta.cursor ?? 0);
  const plain = Papa.parse<string[]>(rest, { ...options, delimiter, fastMode: true });
  return [...(before?.data ?? []), ...plain.data];
}

/** Returns a text whose lines all end with a line feed: those of one file may end differently. */
function withLineFeeds(text: string): string {
  return text.includes('\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\r', '\n');
}
