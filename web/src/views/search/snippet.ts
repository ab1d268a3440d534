import { bestHighlight } from '@knowledge-warehouse/client';
import { afterPair, toIndexes, type Span } from '../../parts/code-points.js';
import type { MarkedText } from '../../parts/highlighted.js';

/** The number of characters of its chunk that a hit shows. */
const longest = 360;
/** The number of characters before the mark that begins the best part. */
const lead = 80;
/** The number of characters within which each end is moved to a space. */
const slack = 40;

/** Returns the part of a chunk with the most of the words found, cut at spaces. Highlights are in code points. */
export function snippetOf(text: string, highlights: readonly Span[]): MarkedText {
  const marks = toIndexes(text, highlights);
  if (text.length <= longest) return { text, marks };
  const words = marks.map(({ start, end }) => ({ start, end, text: text.slice(start, end) }));
  const first = words[bestHighlight(words, longest - lead - slack)]?.start ?? 0;
  const from = wordStart(text, Math.min(first - lead, text.length - longest));
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
  const space = text.slice(index, index + slack).search(/\s\S/);
  return space === -1 ? afterPair(text, index) : index + space + 1;
}

function wordEnd(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const space = text.slice(index - slack, index).search(/\s\S*$/);
  return space === -1 ? afterPair(text, index) : index - slack + space;
}
