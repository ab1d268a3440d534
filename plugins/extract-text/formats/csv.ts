import Papa from 'papaparse';
import type { Extractor } from '../document.js';
import { writeTable } from '../markdown.js';
import { readText } from './plain.js';

/** Converts CSV with any delimiter to a Markdown table whose header is the first row. */
export const extractCsv: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' });
  writeTable(data, out);
  return Promise.resolve({ encoding, markdown: true });
};
