import { bestHighlight, type SearchHit } from '@knowledge-warehouse/client';
import { plain } from '../terminal/text.js';

/** A piece of a line; `isMarked`: it matched. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

const mostLines = 3;
const leastWidth = 30;

/** Returns the few lines of a hit's text that contain the most of the words found, for a terminal of this width. */
export function excerpt({ text, highlights }: SearchHit, width: number): readonly (readonly Piece[])[] {
  const room = Math.max(leastWidth, width - 4) * mostLines;
  const letters = Array.from(text);
  const lead = Math.floor(room / 4);
  const words = highlights.map((each) => ({ ...each, text: letters.slice(each.start, each.end).join('') }));
  const first = words[bestHighlight(words, room - lead)]?.start ?? 0;
  const from = Math.max(0, Math.min(first - lead, letters.length - room));
  const to = Math.min(letters.length, from + room);
  const pieces: Piece[] = [];
  const add = (start: number, end: number, isMarked: boolean): void => {
    const [a, b] = [Math.max(start, from), Math.min(end, to)];
    if (a < b) pieces.push({ text: plain(letters.slice(a, b).join('')), isMarked });
  };
  if (from > 0) pieces.push({ text: '…', isMarked: false });
  let done = 0;
  for (const { start, end } of highlights) {
    add(done, start, false);
    add(start, end, true);
    done = end;
  }
  add(done, letters.length, false);
  if (to < letters.length) pieces.push({ text: '…', isMarked: false });
  return inLines(pieces, Math.max(leastWidth, width - 4));
}

/** Splits pieces into lines at word boundaries. */
function inLines(pieces: readonly Piece[], width: number): Piece[][] {
  const lines: Piece[][] = [[]];
  let used = 0;
  for (const { text, isMarked } of pieces) {
    for (const word of text.match(/\s+|\S+/gu) ?? []) {
      const isSpace = word.trim() === '';
      if (used + word.length > width && used > 0) {
        lines.push([]);
        used = 0;
      }
      if (isSpace && used === 0) continue;
      lines.at(-1)?.push({ text: isSpace ? ' ' : word, isMarked });
      used += isSpace ? 1 : word.length;
    }
  }
  return lines.slice(0, mostLines + 1).filter((line) => line.length > 0);
}
