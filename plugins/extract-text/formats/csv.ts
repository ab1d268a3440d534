import Papa from 'papaparse';
import type { Extractor } from '../document.js';
import { writeTable } from '../markdown.js';
import { readText } from './plain.js';

/** A first line that tells Excel the delimiter. */
const separator = /^\ufeff?"?sep=(.)"?\r?(?:\n|$)/i;

/** Converts CSV with any delimiter to a Markdown table whose header is the first row. */
export const extractCsv: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  const [line = '', delimiter] = separator.exec(text) ?? [];
  const { data } = Papa.parse<string[]>(text.slice(line.length), {
    skipEmptyLines: 'greedy',
    ...(delimiter && { delimiter }),
  });
  writeTable(data, out);
  return Promise.resolve({ encoding, markdown: true });
};
