import type { TextLine } from './page-text.js';
import { loadUprightText } from './upright-text.js';
import { allocate, utf16At, type Pdfium } from './pdfium.js';

/** How PDFium ends a line: with a line end, or with U+FFFE in place of a hyphen that divides a word. */
const lineEnd = /\r\n|\ufffe/g;

/** Letters and marks of the scripts that are written from right to left; none takes two code units. */
const leftwardWord = /(?:(?=[\p{L}\p{M}])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]){2,}/gu;

/** Returns the lines of a loaded page in file order. Throws an Error if the page cannot be read. */
export function pageLines(pdfium: Pdfium, page: number, number: number): TextLine[] {
  const { text, turns } = page === 0 ? { text: 0, turns: 0 } : loadUprightText(pdfium, page);
  if (text === 0) throw new Error(`Page ${number} is damaged`);
  const lines = new PageLines(pdfium, text, turns).read();
  pdfium._FPDFText_ClosePage(text);
  return lines;
}

/** A line or a part of it as PDFium returns it: PDFium also ends lines at raised and lowered characters. */
interface Piece extends TextLine {
  /** Where its first character begins along the line. */
  readonly left: number;
  readonly last: number;
}

/** Pieces whose base lines are closer than this, in line heights, belong to one line. */
const raisedAtMost = 0.6;
/** A gap of more than this many line heights separates two words. */
const wordGap = 0.15;

/** Four numbers of 4 bytes: left, top, right and bottom; or six: a, b, c, d, e and f (ISO 32000-1, 8.3.3). */
const mostBytes = 24;

class PageLines {
  readonly #pdfium: Pdfium;
  readonly #page: number;
  readonly #turns: number;
  readonly #characters: number;
  readonly #buffer: number;
  #text = '';

  constructor(pdfium: Pdfium, page: number, turns: number) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#turns = turns;
    this.#characters = pdfium._FPDFText_CountChars(page);
    // A character above U+FFFF takes two units; the terminating zero takes one.
    this.#buffer = allocate(pdfium, Math.max(mostBytes, 4 * this.#characters + 2));
  }

  read(): TextLine[] {
    const units = this.#pdfium._FPDFText_GetText(this.#page, 0, this.#characters, this.#buffer);
    const text = utf16At(this.#pdfium, this.#buffer, Math.max(0, units - 1));
    this.#text = text.replace(leftwardWord, (word, start: number) => this.#inReadingOrder(word, start));
    const lines: TextLine[] = [];
    let pieces: Piece[] = [];
    const endLine = (): void => {
      const [first] = pieces;
      if (first) lines.push({ text: this.#join(pieces), y: first.y, height: tallestOf(pieces) });
      pieces = [];
    };
    for (const piece of this.#pieces()) {
      const previous = pieces.at(-1);
      if (previous && !this.#goesOn(previous, piece)) endLine();
      pieces.push(piece);
    }
    endLine();
    this.#pdfium._free(this.#buffer);
    return lines;
  }

  /**
   * PDFium assumes that text is drawn from left to right, and reverses the words of these scripts. If the file draws
   * them from right to left, they come out backwards: their letters then go from left to right.
   */
  #inReadingOrder(word: string, start: number): string {
    const first = this.#character(start);
    const letters = [...word.matchAll(/\p{L}/gu)];
    const lefts = letters.map(({ index }) => this.#origin(first + index)[0]);
    const isReversed = lefts.every((left, index) => index === 0 || left >= (lefts[index - 1] ?? left));
    return isReversed && (lefts.at(-1) ?? 0) > (lefts[0] ?? 0) ? Array.from(word).reverse().join('') : word;
  }

  *#pieces(): Generator<Piece> {
    let start = 0;
    for (const { 0: mark, index } of this.#text.matchAll(lineEnd)) {
      yield* this.#piece(start, index, mark === '\ufffe' ? '-' : '');
      start = index + mark.length;
    }
    yield* this.#piece(start, this.#text.length, '');
  }

  *#piece(start: number, end: number, hyphen: string): Generator<Piece> {
    const raw = this.#text.slice(start, end);
    const text = raw.replace(/\s+/g, ' ').trim();
    if (text === '') return;
    const first = this.#character(start + raw.length - raw.trimStart().length);
    const last = this.#character(start + raw.trimEnd().length - 1);
    const heights = [first, (first + last) >> 1, last].map((character) => this.#height(character));
    const [left, y] = this.#origin(first);
    yield { text: text + hyphen, y, height: Math.max(...heights), left, last };
  }

  /** Returns a character's index in the page. The text has no place for characters that represent nothing. */
  #character(index: number): number {
    if (this.#text.length === this.#characters) return index;
    return this.#pdfium._FPDFText_GetCharIndexFromTextIndex(this.#page, index);
  }

  /** Returns where a character begins, along its line and upwards from it. */
  #origin(character: number): [x: number, y: number] {
    this.#pdfium._FPDFText_GetCharOrigin(this.#page, character, this.#buffer, this.#buffer + 8);
    const numbers = this.#numbers();
    const x = numbers.getFloat64(0, true);
    const y = numbers.getFloat64(8, true);
    if (this.#turns === 1) return [y, -x];
    if (this.#turns === 2) return [-x, -y];
    return this.#turns === 3 ? [-y, x] : [x, y];
  }

  /** Returns where a character ends along its line. */
  #right(character: number): number {
    this.#pdfium._FPDFText_GetLooseCharBox(this.#page, character, this.#buffer);
    const numbers = this.#numbers();
    if (this.#turns === 1) return numbers.getFloat32(4, true);
    if (this.#turns === 2) return -numbers.getFloat32(0, true);
    return this.#turns === 3 ? -numbers.getFloat32(12, true) : numbers.getFloat32(8, true);
  }

  #height(character: number): number {
    const size = this.#pdfium._FPDFText_GetFontSize(this.#page, character);
    this.#pdfium._FPDFText_GetMatrix(this.#page, character, this.#buffer);
    const numbers = this.#numbers();
    return size * Math.hypot(numbers.getFloat32(8, true), numbers.getFloat32(12, true));
  }

  #goesOn(before: Piece, after: Piece): boolean {
    const height = Math.max(before.height, after.height);
    if (Math.abs(before.y - after.y) >= height * raisedAtMost) return false;
    return after.left > this.#right(before.last) - height * wordGap;
  }

  #join(pieces: readonly Piece[]): string {
    let text = '';
    let previous: Piece | undefined;
    for (const piece of pieces) {
      const gap = previous ? piece.left - this.#right(previous.last) : 0;
      const isApart = previous && gap > Math.min(previous.height, piece.height) * wordGap;
      text += isApart ? ` ${piece.text}` : piece.text;
      previous = piece;
    }
    return text;
  }

  #numbers(): DataView {
    return new DataView(this.#pdfium.HEAPU8.buffer, this.#buffer, mostBytes);
  }
}

function tallestOf(pieces: readonly Piece[]): number {
  return pieces.reduce((tallest, { height }) => Math.max(tallest, height), 0);
}
