import Papa from 'papaparse';
import type { Extractor, SourceDocument } from '../document.js';
import { writeTable } from '../markdown.js';
import { readText } from './plain.js';

/** A first line that tells Excel the delimiter. */
const separator = /^\ufeff?"?sep=(.)"?\r?(?:\n|$)/i;

/** Converts CSV with any delimiter to a Markdown table whose header is the first row. */
export const extractCsv: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  const [line = '', named] = separator.exec(text) ?? [];
  const delimiter = named ?? (isTabbed(document) && text.includes('\t') ? '\t' : undefined);
  writeTable(parse(text.slice(line.length), delimiter), out);
  return Promise.resolve({ encoding, markdown: true });
};

function isTabbed({ mediaType, name }: SourceDocument): boolean {
  return /^\s*text\/tab-separated-values\b/i.test(mediaType ?? '') || /\.tsv$/i.test(name);
}

function parse(text: string, delimiter: string | undefined): string[][] {
  const options = { skipEmptyLines: 'greedy', ...(delimiter && { delimiter }) } as const;
  const { data, errors, meta } = Papa.parse<string[]>(text, options);
  const has = (error: string): boolean => errors.some(({ type, code }) => type === error || code === error);
  const isTabs = meta.delimiter === '\t' || (has('UndetectableDelimiter') && /^[^\r\n]*\t/.test(text));
  if (!isTabs || !has('Quotes')) return data;
  // Excel quotes tab-separated values, most programs do not. `fastMode` gives quotation marks no meaning.
  return Papa.parse<string[]>(text, { ...options, delimiter: '\t', fastMode: true }).data;
}
