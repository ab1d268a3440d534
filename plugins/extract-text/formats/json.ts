import { fileFault } from '../failures.js';
import type { Extractor } from '../document.js';
import type { TextWriter } from '../text-writer.js';
import { readText } from './plain.js';

/**
 * Validates and indents JSON. Keeps numbers as written, since parsing would round large ones. Decodes the escapes of
 * strings and keys, so that searches find their words.
 */
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

/** The start of a string, a bracket or other punctuation, or a number or word. */
const token = /["[\]{},:]|[^\s[\]{},:"]+/g;
const indent = '  ';
/** Indenting every level would make the output quadratic in the depth. */
const deepestIndent = 32;

function writeIndented(json: string, out: TextWriter): void {
  let depth = 0;
  let previous = '';
  for (const part of tokensOf(json)) {
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

/** Yields the tokens, each with its escapes decoded. */
function* tokensOf(json: string): Generator<string> {
  const pattern = new RegExp(token);
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) {
    if (found[0] !== '"') yield found[0];
    else {
      const pieces = stringPieces(json, pattern.lastIndex);
      yield `"${pieces.map(decodeEscapes).join('')}"`;
      pattern.lastIndex += pieces.reduce((length, piece) => length + piece.length, 1);
    }
  }
}

const escape = /\\(?:u([dD][89abAB]..)\\u([dD][c-fC-F]..)|u(....)|(.))/g;
/** The content of a string up to a length. Longer matches could overflow the stack. */
const piece = new RegExp(`(?:[^"\\\\]|${escape.source}){1,1024}`, 'y');

function stringPieces(json: string, start: number): readonly string[] {
  const pieces: string[] = [];
  const pattern = new RegExp(piece);
  pattern.lastIndex = start;
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) pieces.push(found[0]);
  return pieces;
}

const whiteSpace: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f' };

/** Decodes what a text can hold. Escaped quotes and backslashes, which limit a string, stay escaped. */
function decodeEscapes(string: string): string {
  return string.includes('\\') ? string.replace(escape, decodeEscape) : string;
}

function decodeEscape(written: string, high?: string, low?: string, unit?: string, mark?: string): string {
  if (high && low) return String.fromCharCode(parseInt(high, 16), parseInt(low, 16));
  if (mark) return mark === '/' ? mark : (whiteSpace[mark] ?? written);
  const character = String.fromCharCode(parseInt(unit ?? '', 16));
  if (character === '"' || character === '\\') return `\\${character}`;
  return /[\t\n\f\r]|[^\p{Cc}\p{Cs}]/u.test(character) ? character : written;
}
