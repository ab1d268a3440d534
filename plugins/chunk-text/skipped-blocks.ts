/**
 * The markers of block quotes and list items before the content of a line. Five spaces after the marker of an item
 * begin code (https://spec.commonmark.org/0.31.2/, 5.1 and 5.2).
 */
const outerMarks = /^(?: {0,3}(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?![ \t])))+/;

/**
 * Returns the markers of the block quotes and list items that contain the rest of a line, with the spaces around them.
 */
export function outerMarksOf(line: string): string {
  return outerMarks.exec(line)?.[0] ?? '';
}

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const html = /^ {0,3}<(?:(pre|script|style|textarea)(?=[\s>]|$)|!--)/i;
const frontMatter = /^---[^\S\n]*\n(?!\s*\n)(?:[^]*?\n)?(?:---|\.\.\.)[^\S\n]*(?:\n|$)/;
const frontMatterEnd = /^(?:---|\.\.\.)$/;

/** Whether a text begins with front matter. A `---` above an empty line, or that no other line closes, is a rule. */
export function hasFrontMatter(text: string): boolean {
  return frontMatter.test(text);
}

/**
 * Scans a Markdown text line by line and finds lines that are not Markdown: fenced code blocks, raw HTML, comments and
 * front matter (https://spec.commonmark.org/0.31.2/, 4.5 and 4.6). An unclosed block continues to the end of the block
 * quote or list item that contains it, or of the text.
 */
export class BlockSkipper {
  /** Whether a line ends the open block. */
  #isEnd: ((line: string) => boolean) | null = null;
  /** What the lines of the open block begin with. */
  #indent = '';

  /**
   * Whether a line belongs to a block to skip. `line` has no trailing white space; `beginsFrontMatter` says whether it is
   * the first line of a text with front matter.
   */
  skips(line: string, beginsFrontMatter: boolean): boolean {
    if (this.#isEnd !== null) {
      const content = this.#contentOf(line);
      if (content === null || this.#isEnd(content)) this.#isEnd = null;
      if (content !== null) return true;
    }
    const marks = outerMarksOf(line);
    this.#indent = withoutSpaces(marks.replace(/[^>]/g, ' '));
    this.#isEnd = beginsFrontMatter ? isEndOfFrontMatter : blockBegunBy(line.slice(marks.length));
    return this.#isEnd !== null;
  }

  /** Returns what a line adds to the open block; null if it is outside the block quote or list item of the block. */
  #contentOf(line: string): string | null {
    const indented = withoutSpaces(line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length)));
    if (indented.startsWith(this.#indent)) return indented.slice(this.#indent.length);
    return blank.test(line) ? '' : null;
  }
}

/** Removes the spaces that may follow the markers of block quotes. */
const withoutSpaces = (line: string): string =>
  line.replace(/^[> \t]+/, (lead) => lead.replace(/>[ \t]/g, '>'));

/** A line that is empty in any block quote or list item. */
const blank = /^[>\s]*$/;

const isEndOfFrontMatter = (line: string): boolean => frontMatterEnd.test(line);

/** Returns a test for the end of the block that a line begins; null if it begins none or also closes it. */
function blockBegunBy(line: string): ((line: string) => boolean) | null {
  const first = line.trimStart()[0];
  if (first === '<') return htmlBegunBy(line);
  const opening = first === '`' || first === '~' ? fence.exec(line)?.[1] : undefined;
  if (opening === undefined) return null;
  return (other) => {
    const closing = /^ {0,3}(`+|~+)$/.exec(other)?.[1] ?? '';
    return closing.length >= opening.length && closing.startsWith(opening.charAt(0));
  };
}

function htmlBegunBy(line: string): ((line: string) => boolean) | null {
  const opening = html.exec(line);
  if (opening === null) return null;
  const end = opening[1] === undefined ? '-->' : `</${opening[1].toLowerCase()}>`;
  const isEnd = (other: string): boolean => other.toLowerCase().includes(end);
  return isEnd(line.slice(opening[0].length)) ? null : isEnd;
}
