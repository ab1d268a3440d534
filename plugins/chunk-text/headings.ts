import { plainTitle } from './plain-title.js';
import { BlockSkipper, hasFrontMatter, outerMarksOf } from './skipped-blocks.js';

/** A heading of a Markdown text. `start` is its first mark, `end` the end of its line, in code units. */
export interface Heading {
  readonly start: number;
  readonly end: number;
  /** 1 is the outermost level. */
  readonly level: number;
  /** In one line without marks, cut to the maximum length in a path. */
  readonly title: string;
}

/** `## Setup`, with up to three leading spaces and optional closing marks, also in a block quote or a list item. */
const marked = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s;
/** A line that turns the line above it into a heading. */
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines that are not paragraphs and so do not become headings when underlined. */
const noParagraph = /^(?: {4}|\t| {0,3}(?:[-*+>|]|#{1,6}(?:[ \t]|$)|\d{1,9}[.)][ \t]))/;

/** A line without trailing white space, and its start and end in the text. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the headings of a Markdown text in order, in one pass without buffering: `#` headings, and paragraphs of one
 * line that are underlined with `=` or `-` (https://spec.commonmark.org/0.31.2/, 4.2 and 4.3). Skips blocks of code,
 * HTML, comments and front matter.
 */
export function* headingsIn(text: string): Generator<Heading, undefined> {
  const skipper = new BlockSkipper();
  const beginsWithFrontMatter = hasFrontMatter(text);
  /** The previous line, if it is the first of a paragraph. */
  let above: Line | null = null;
  let isBetween = true;
  for (const line of linesOf(text)) {
    const isSkipped = skipper.skips(line.text, beginsWithFrontMatter && line.start === 0);
    const heading: Heading | null = isSkipped
      ? null
      : (markedHeading(line) ?? underlinedHeading(above, line));
    if (heading !== null && heading.title !== '') yield heading;
    const isText: boolean = !isSkipped && heading === null && line.text !== '';
    above = isText && isBetween && !noParagraph.test(line.text) ? line : null;
    isBetween = !isText;
  }
  return undefined;
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield { text: text.slice(start, end).trimEnd(), start, end };
    start = end + 1;
  }
}

function markedHeading({ text, start, end }: Line): Heading | null {
  const parts = marked.exec(text.slice(outerMarksOf(text).length));
  if (parts === null) return null;
  const title = plainTitle(withoutClosing(parts[2] ?? ''));
  const indent = text.length - text.trimStart().length;
  return { start: start + indent, end, level: parts[1]?.length ?? 1, title };
}

function underlinedHeading(above: Line | null, { text, end }: Line): Heading | null {
  const parts = above === null ? null : underline.exec(text);
  if (above === null || parts === null) return null;
  const indent = above.text.length - above.text.trimStart().length;
  return {
    start: above.start + indent,
    end,
    level: parts[1]?.startsWith('=') === true ? 1 : 2,
    title: plainTitle(above.text),
  };
}

/** Returns a heading's text without closing marks, as in "Text ##". */
function withoutClosing(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end--;
  return end === 0 || /\s/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end).trim() : trimmed;
}
