import type { TextWriter } from './text-writer.js';

/** A row that repeats a long cell again and again is handed on piece by piece, so that the limit of the text ends it. */
const longestPiece = 65_536;

/** One cell of a Markdown table: on one line, with its bars escaped. */
function tableCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/** Rows as a Markdown table in pieces of text, the first row as its header. Rows may differ in length. */
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

/** Writes rows as a Markdown table. */
export function writeTable(rows: readonly (readonly string[])[], out: TextWriter): void {
  if (rows.length === 0) return;
  for (const piece of tableOfRows(rows, (cell) => cell)) out.write(piece);
  out.write('\n\n');
}

/** How a line begins that Markdown would take for a heading, or for a block in which headings count for nothing. */
const blockStart = /^(?:#{1,6}(?=\s|$)|`{3}|~{3}|[=-]+[^\S\n]*$|<(?=!--|(?:pre|script|style|textarea)\b))/gim;

/** Lines of text, escaped to stay text. */
export function asText(lines: string): string {
  return lines.replace(blockStart, '\\$&');
}

/** A heading of level 1 to 6; blank when the text is. */
export function heading(level: number, text: string): string {
  const title = text.replace(/\s+/g, ' ').trim();
  return title === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${title}`;
}
