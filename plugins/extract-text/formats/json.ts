import { fileFault } from '../failures.js';
import type { Extractor } from '../document.js';
import type { TextWriter } from '../text-writer.js';
import { readText } from './plain.js';

/** Validates and indents JSON. Keeps numbers, strings and keys as written: parsing would round large numbers. */
export const extractJson: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  if (text.trim() === '') throw fileFault('EMPTY_FILE', 'The file is blank');
  try {
    JSON.parse(text);
  } catch (error) {
    throw fileFault(
      'UNREADABLE_FILE',
      `The file is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
    );
  }
  writeIndented(text, out);
  return Promise.resolve({ encoding, markdown: false });
};

/** A string, a bracket or other punctuation, or a number or word. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;
const indent = '  ';
/** Indenting every level would make the output quadratic in the depth. */
const deepestIndent = 32;

function writeIndented(json: string, out: TextWriter): void {
  let depth = 0;
  let previous = '';
  for (const [part] of json.matchAll(token)) {
    const closing = part === ']' || part === '}';
    if (closing) depth--;
    const opened = previous === '[' || previous === '{';
    if (closing ? !opened : opened || previous === ',')
      out.write(`\n${indent.repeat(Math.min(depth, deepestIndent))}`);
    out.write(part === ':' ? ': ' : part);
    if (part === '[' || part === '{') depth++;
    previous = part;
  }
}
