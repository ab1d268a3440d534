/** How many Unicode code points a text has; half of a surrogate pair counts as one. */
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

/** A text's first code points, `most` of them at most. */
export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text;
  // A code point has two code units at most: the rest of a long text need not be looked at.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('');
}
