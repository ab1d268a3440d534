import Papa from 'papaparse';
import type { Extractor, SourceDocument } from '../document.js';
import { writeTable } from '../markdown.js';
import { readText } from './plain.js';

/** A first line that tells Excel the delimiter. */
const separator = /^"?sep=(.)"?(?:\n|$)/i;

/** Converts CSV with any delimiter to a Markdown table whose header is the first row. */
export const extractCsv: Extractor = (document, out) => {
  const { text: read, encoding } = readText(document);
  // The lines of one file may end differently.
  const text = read.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
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

/**
 * Reads quotation marks as usual. Papa Parse understands most wrong marks inside quoted cells, but may read many rows as
 * one cell. If fewer rows then have the usual number of cells, marks count as plain characters from the first wrong one
 * on; otherwise only from one on that is never closed.
 */
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
  const plainFrom = (row: number): string[][] => {
    const before = row === 0 ? null : Papa.parse<string[]>(text, { ...options, delimiter, preview: row });
    const rest = text.slice(before?.meta.cursor ?? 0);
    const { data: plain } = Papa.parse<string[]>(rest, { ...options, delimiter, fastMode: true });
    return [...(before?.data ?? []), ...plain];
  };
  const plain = plainFrom(wrong);
  const width = (plain[wrong - 1] ?? plain[0])?.length ?? 0;
  if (evenness(plain, width) > evenness(data, width)) return plain;
  const open = errors.find(({ code }) => code === 'MissingQuotes')?.row;
  return open === undefined ? data : plainFrom(open);
}

/** Returns how many more rows have this number of cells than another. */
function evenness(rows: readonly (readonly string[])[], width: number): number {
  return rows.reduce((sum, row) => sum + (row.length === width ? 1 : -1), 0);
}
