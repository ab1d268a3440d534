import { splitEvery } from '../../../../parts/code-points.js';

/** The maximum number of characters laid out together. Longer lines are split, even if a text is a single line. */
const longestPiece = 1_000;

/** The most lines that are pieces of their own: more do not fit in the tallest element of a browser. */
const mostSingle = 500_000;

/** Splits a text into lines and parts of long lines. If there are very many lines, short ones stay together. */
export function toPieces(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const together = Math.ceil(lines.length / mostSingle);
  return Array.from({ length: Math.ceil(lines.length / together) }, (_, at) =>
    lines.slice(at * together, (at + 1) * together),
  ).flatMap((group) => {
    const piece = group.join('\n');
    return piece.length <= longestPiece ? [piece] : group.flatMap((line) => splitEvery(line, longestPiece));
  });
}

/** Whether a text contains Markdown syntax: headings, lists, links, tables, fences. */
export function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6} \S|^\s{0,3}[-*] \S|^\|.+\|\s*$|^```|\[[^\]\n]+\]\([^)\n]+\)/m.test(text.slice(0, 20_000));
}
