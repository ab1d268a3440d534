import { splitEvery } from '../../../../parts/code-points.js';

/**
 * The maximum number of characters laid out together. Longer lines are split, so that a text of a single line is too.
 */
const longestPiece = 1_000;

/** Splits a text into lines and parts of long lines. */
export function toPieces(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => splitEvery(line, longestPiece));
}

/** Whether a text contains Markdown syntax: headings, lists, links, tables, fences. */
export function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6} \S|^\s{0,3}[-*] \S|^\|.+\|\s*$|^```|\[[^\]\n]+\]\([^)\n]+\)/m.test(text.slice(0, 20_000));
}
