import { allocate, type Pdfium } from './pdfium.js';

export interface UprightText {
  readonly text: number;
  /** By how many quarter turns, counterclockwise, its lines are turned against the page's coordinates. */
  readonly turns: number;
}

/** How many characters of a page tell how its text is turned. */
const samples = 16;

/**
 * Loads the text of a page. PDFium orders lines as the page displays them, so a page that displays most of its text
 * sideways or upside down is turned first. `text` is 0 if the page cannot be read.
 */
export function loadUprightText(pdfium: Pdfium, page: number): UprightText {
  const text = pdfium._FPDFText_LoadPage(page);
  if (text === 0) return { text, turns: 0 };
  // The page turns clockwise as far as upright text is turned counterclockwise.
  const rotation = pdfium._FPDFPage_GetRotation(page);
  const turns = mostTurns(pdfium, text) ?? rotation;
  if (turns === rotation) return { text, turns };
  pdfium._FPDFText_ClosePage(text);
  pdfium._FPDFPage_SetRotation(page, turns);
  return { text: pdfium._FPDFText_LoadPage(page), turns };
}

/** Returns the turns of most characters; undefined if none prevail. */
function mostTurns(pdfium: Pdfium, text: number): number | undefined {
  const characters = pdfium._FPDFText_CountChars(text);
  const matrix = allocate(pdfium, 24);
  const numbers = new Float32Array(pdfium.HEAPU8.buffer, matrix, 4);
  const counts = [0, 0, 0, 0];
  let sampled = 0;
  for (let index = 0; index < characters; index += Math.ceil(characters / samples)) {
    if (pdfium._FPDFText_IsGenerated(text, index) !== 0) continue;
    pdfium._FPDFText_GetMatrix(text, index, matrix);
    const [a = 0, b = 0, c = 0, d = 0] = numbers;
    // Mirrored text has no direction in which it is upright.
    if (a * d < b * c) continue;
    const sign = Math.sign(pdfium._FPDFText_GetFontSize(text, index));
    const turns = quarterTurns(sign * a, sign * b);
    counts[turns] = (counts[turns] ?? 0) + 1;
    sampled++;
  }
  pdfium._free(matrix);
  const most = Math.max(...counts);
  return most * 2 > sampled ? counts.indexOf(most) : undefined;
}

/** Returns the direction of a vector in quarter turns, counterclockwise from the right. */
function quarterTurns(x: number, y: number): number {
  if (Math.abs(x) >= Math.abs(y)) return x >= 0 ? 0 : 2;
  return y > 0 ? 1 : 3;
}
