import { toIndexes, type Span } from '../../parts/code-points.js';
import type { MarkedText } from './highlighted.js';

/** The number of characters of its chunk that a hit shows. */
const longest = 360;
/** The number of characters before the first mark. */
const lead = 80;

/** Returns the part of a chunk around the first words found, cut at spaces. Highlights are in code points. */
export function snippetOf(text: string, highlights: readonly Span[]): MarkedText {
  const marks = toIndexes(text, highlights);
  if (text.length <= longest) return { text, marks };
  const from = wordStart(text, Math.min((marks[0]?.start ?? 0) - lead, text.length - longest));
  const to = wordEnd(text, from + longest);
  const before = from > 0 ? '… ' : '';
  const after = to < text.length ? ' …' : '';
  const shift = before.length - from;
  return {
    text: before + text.slice(from, to) + after,
    marks: marks
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  };
}

/** Returns the start of the first word at or after an index, if a word ends soon. Chinese has no spaces to look for. */
function wordStart(text: string, index: number): number {
  if (index <= 0) return 0;
  const space = text.slice(index, index + 40).search(/\s\S/);
  return space === -1 ? afterPair(text, index) : index + space + 1;
}

function wordEnd(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const space = text.slice(index - 40, index).search(/\s\S*$/);
  return space === -1 ? afterPair(text, index) : index - 40 + space;
}

/** Returns an index that does not split a surrogate pair. */
const afterPair = (text: string, index: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(index)) ? index + 1 : index;
