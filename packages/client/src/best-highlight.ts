/** A highlight of a hit with its text. The positions may be in any unit. */
export interface HighlightedText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Chooses where an excerpt of a hit begins: returns the index of the highlight that begins the window of `length` with
 * the most distinct words, the earliest on a tie. Returns 0 without highlights. Highlights must be in the order of the
 * text.
 */
export function bestHighlight(highlights: readonly HighlightedText[], length: number): number {
  const words = highlights.map(({ text }) => text.toLowerCase());
  const counts = new Map<string, number>();
  let best = 0;
  let most = 0;
  let next = 0;
  for (const [first, { start }] of highlights.entries()) {
    for (let added = highlights[next]; added !== undefined; added = highlights[next]) {
      // A highlight that is longer than the window is a window by itself.
      if (next > first && added.end > start + length) break;
      const word = words[next++] ?? '';
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    if (counts.size > most) [best, most] = [first, counts.size];
    const left = words[first] ?? '';
    const count = counts.get(left) ?? 0;
    if (count > 1) counts.set(left, count - 1);
    else counts.delete(left);
  }
  return best;
}
