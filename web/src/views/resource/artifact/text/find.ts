/** A match: its piece of the text, and the first and last character. */
export interface Match {
  readonly piece: number;
  readonly start: number;
  readonly end: number;
}

/** The maximum number of marked matches. */
export const mostMatches = 5_000;

/** Returns every match of the words, ignoring case, in the order of the text. */
export function findMatches(pieces: readonly string[], words: string): readonly Match[] {
  if (words === '') return [];
  const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'giu');
  const found: Match[] = [];
  for (const [piece, text] of pieces.entries())
    for (const { index, 0: hit } of text.matchAll(pattern)) {
      found.push({ piece, start: index, end: index + hit.length });
      if (found.length === mostMatches) return found;
    }
  return found;
}

/** Groups matches by their piece. */
export function groupByPiece(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const groups = new Map<number, Match[]>();
  for (const match of matches) {
    const group = groups.get(match.piece);
    if (group === undefined) groups.set(match.piece, [match]);
    else group.push(match);
  }
  return groups;
}
