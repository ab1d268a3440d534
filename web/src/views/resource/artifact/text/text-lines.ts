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

/** A line that begins so many quotes and list items. */
const containers = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){50}/;
/** A line that begins a paragraph, a list item, a heading or a row of a table. */
const blockStart = /^[ \t]*$|^ {0,3}(?:\||(?:[-*+]|1[.)]|#{1,6})[ \t]+\S)/;
/** Marks of emphasis and links. The time that the parser takes grows with their square. */
const mostMarks = 2_000;

/** Whether Markdown is nested so deeply that it would block the page or exhaust the stack, which a short text can do. */
export function isTangled(text: string): boolean {
  let marks = 0;
  return text.split(/\r\n|\r|\n/).some((line) => {
    if (blockStart.test(line)) marks = 0;
    marks += line.match(/[[\]*_~]/g)?.length ?? 0;
    return marks > mostMarks || containers.test(line);
  });
}
