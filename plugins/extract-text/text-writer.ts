import { countCodePoints } from '../../core/documents/code-points.js';
import { mostPages, type PageStart } from '../../core/documents/text-layout.js';
import { fileFault } from './failures.js';

const blockEnd = '\n\n';

export interface WrittenText {
  readonly text: string;
  /** All pages, including those without text; null if there are none, or more than `mostPages`. */
  readonly pages: readonly PageStart[] | null;
}

/** Collects a document's text. Throws OUTPUT_TOO_LARGE as soon as it exceeds `maxBytes` of UTF-8. */
export class TextWriter {
  readonly #maxBytes: number;
  readonly #parts: string[] = [];
  /** The number of parts that were written before each page. */
  readonly #pages: number[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  write(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#maxBytes) {
      throw fileFault('OUTPUT_TOO_LARGE', `The text is longer than ${this.#maxBytes} bytes`, {
        max_output_bytes: this.#maxBytes,
      });
    }
    this.#parts.push(text);
  }

  /** Writes a paragraph, heading or other block, with an empty line after it. Skips blank blocks. */
  block(text: string): void {
    const trimmed = text.replace(/^\n+/, '').trimEnd();
    if (trimmed !== '') this.write(trimmed + blockEnd);
  }

  /** Begins the next page. Pages are numbered from 1 in order. */
  page(): void {
    this.#pages.push(this.#parts.length);
  }

  /** Returns the whole text with `\n` line ends, trimmed and without characters that are invalid in a text. */
  finish(): WrittenText {
    if (this.#pages.length > mostPages) this.#pages.length = 0;
    // Cleans page by page, since characters removed before a page move its start.
    let text = cleanText(this.#joined(0, this.#pages[0]));
    const starts: number[] = [];
    for (const [index, first] of this.#pages.entries()) {
      starts.push(text.length);
      text += cleanText(this.#joined(first, this.#pages[index + 1]));
    }
    const lead = /^\s*\n/.exec(text)?.[0].length ?? 0;
    text = text.slice(lead).trimEnd();
    return { text, pages: starts.length === 0 ? null : pageStarts(text, starts, lead) };
  }

  #joined(first: number, end?: number): string {
    return this.#parts.slice(first, end).join('');
  }
}

/** What gives a text its colours and links in a terminal: control sequences, operating system commands and character sets. */
export const terminalCodes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[()][0AB])/g;

/** Removes terminal codes and control characters except tabs and line ends, and replaces lone surrogates with U+FFFD. */
function cleanText(text: string): string {
  return text
    .replace(terminalCodes, '')
    .replace(/\r\n?|[\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufeff]/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Converts the starts of pages, in a text that lost `lead` code units at its start, from code units to code points. */
function pageStarts(text: string, starts: readonly number[], lead: number): readonly PageStart[] {
  let codeUnits = 0;
  let codePoints = 0;
  return starts.map((start, index) => {
    const at = Math.min(Math.max(start - lead, 0), text.length);
    codePoints += countCodePoints(text.slice(codeUnits, at));
    codeUnits = at;
    return { number: index + 1, start: codePoints };
  });
}
