/** A part of a text, in Unicode code points; `end` is exclusive. */
export interface CodePointRange {
  readonly start: number;
  readonly end: number;
}

/** The number of Unicode code points in a text. A lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const isSecondHalf =
      (text.charCodeAt(index) & 0xfc00) === 0xdc00 &&
      index > 0 &&
      (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (!isSecondHalf) count++;
  }
  return count;
}

/** The first code points of a text, at most `most`. */
export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text;
  // A code point has at most two code units, so the rest of a long text need not be read.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('');
}
