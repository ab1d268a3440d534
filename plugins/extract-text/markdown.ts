import type { TextWriter } from './text-writer.js';

/** One cell of a Markdown table: on one line, with its bars escaped. */
function tableCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(tableCell).join(' | ')} |\n`;
}

/** Writes rows as a Markdown table, the first row as its header. Rows may differ in length. */
export function writeTable(rows: readonly (readonly string[])[], out: TextWriter): void {
  const [header, ...body] = rows;
  if (!header) return;
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  out.write(tableRow([...header, ...Array<string>(width - header.length).fill('')]));
  out.write(`|${' --- |'.repeat(width)}\n`);
  for (const row of body) out.write(tableRow(row));
  out.write('\n');
}

/** A heading of level 1 to 6; blank when the text is. */
export function heading(level: number, text: string): string {
  const title = text.replace(/\s+/g, ' ').trim();
  return title === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${title}`;
}
