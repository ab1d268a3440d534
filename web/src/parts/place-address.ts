import { bestHighlight, type SearchHit } from '@knowledge-warehouse/client';
import type { Span } from './code-points.js';

/** An address has room for this many words found. */
const mostMarks = 100;
/** The number of characters of a passage that its view shows at once. */
export const shownAtOnce = 500;

/**
 * Returns the parameters of the address that opens a hit: those of the API and the page's own, which are the words found
 * (`marks`) and the parameters of the search to go back to (`search`).
 */
export function toPlaceParameters({ url, text, highlights }: SearchHit, search: string): string {
  const parameters = new URL(url).searchParams;
  const letters = Array.from(text);
  // The text of a plugin's chunk may differ from the text at its place.
  const isSameText = Number(parameters.get('end')) - Number(parameters.get('start')) === letters.length;
  if (isSameText && highlights.length > 0) {
    const words = highlights.map(({ start, end }) => ({
      start,
      end,
      text: letters.slice(start, end).join(''),
    }));
    const first = Math.max(0, bestHighlight(words, shownAtOnce) - mostMarks / 4);
    const marks = words.slice(first, first + mostMarks);
    parameters.set('marks', marks.map(({ start, end }) => `${start}-${end}`).join('.'));
  }
  parameters.set('search', search);
  return String(parameters);
}

/** Reads the words found in a passage from an address, in code points from its start. */
export function readMarks(parameters: URLSearchParams): readonly Span[] {
  const marks: Span[] = [];
  let done = 0;
  for (const mark of parameters.get('marks')?.split('.') ?? []) {
    const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(mark)?.map(Number) ?? [];
    if (start === undefined || end === undefined || start < done || end <= start) return marks;
    marks.push({ start, end });
    done = end;
  }
  return marks;
}
