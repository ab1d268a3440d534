import type { TextWriter } from './text-writer.js';

/**
 * A row that repeats a long cell many times is yielded in pieces of this length, so that the text limit can stop it.
 */
const longestPiece = 65_536;

function tableCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/** Yields rows as a Markdown table in pieces of text; the first row is the header. Rows may differ in length. */
export function* tableOfRows<Cell>(
  rows: readonly (readonly Cell[])[],
  textOf: (cell: Cell) => string,
): Generator<string> {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  for (const [index, row] of rows.entries()) {
    let piece = index === 0 ? '|' : '\n|';
    for (const cell of row) {
      piece += ` ${tableCell(textOf(cell))} |`;
      if (piece.length < longestPiece) continue;
      yield piece;
      piece = '';
    }
    if (row.length === 0) piece += '  |';
    if (index === 0) piece += `${'  |'.repeat(width - row.length)}\n|${' --- |'.repeat(width)}`;
    yield piece;
  }
}

export function writeTable(rows: readonly (readonly string[])[], out: TextWriter): void {
  if (rows.length === 0) return;
  for (const piece of tableOfRows(rows, (cell) => cell)) out.write(piece);
  out.write('\n\n');
}

/**
 * Line starts that Markdown would read as a heading, or as a block in which headings are ignored, also after what looks
 * like the marker of a block quote or a list item.
 */
const blockStart =
  /^((?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)*)(#{1,6}(?=\s|$)|`{3}|~{3}|(?<=^)[=-]+[ \t]*$)/gm;
/** The start of a tag, of a comment, of an element that ends a paragraph and hides what follows, or of an entity. */
const tagStart =
  /<(?=\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>|!--|(?:pre|script|style|textarea)(?:\s|$))|&(?=#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z0-9]{1,30};)/gi;

/** Escapes what Markdown would take for tags, comments and entities, and not show. */
export function escapeTags(text: string): string {
  return text.replace(tagStart, '\\$&');
}

/** Escapes lines of text so that Markdown reads them as text. */
export function asText(lines: string): string {
  return escapeTags(lines.replace(blockStart, '$1\\$2'));
}

/** Returns a heading of level 1 to 6 with a text; blank if the text is. */
export function heading(level: number, text: string): string {
  return markdownHeading(level, escapeTags(text));
}

/** The same with a title in Markdown. */
export function markdownHeading(level: number, markdown: string): string {
  const title = markdown.replace(/\s+/g, ' ').trim();
  return title === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${title}`;
}
