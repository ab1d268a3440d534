import type { Output } from './output.js';
import type { Paint } from './paint.js';
import { plain } from './text.js';
import { fit, pad, stringWidth } from './width.js';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly align?: 'left' | 'right';
  /** Colours a cell that is already padded. */
  readonly paint?: (cell: string, row: Row) => string;
}

const gap = '  ';
const leastWidth = 8;

/** Formats rows with aligned columns. */
export interface Table<Row> {
  header(): string;
  lines(rows: readonly Row[]): string[];
}

/**
 * A table whose rows may arrive in batches. Columns are as wide as the rows so far require. On a terminal,
 * the last column is cut to the width of the line.
 *
 * @param width Columns of the terminal; null: no terminal.
 */
export function createTable<Row>(columns: readonly Column<Row>[], width: number | null): Table<Row> {
  const widths = columns.map(({ title }) => stringWidth(title));
  const last = columns.length - 1;

  const line = (cells: readonly string[], finish: (cell: string, column: number) => string): string => {
    let used = 0;
    return cells
      .map((cell, index) => {
        const room = width === null ? Infinity : Math.max(leastWidth, width - used);
        const shown = index === last ? fit(cell, room) : pad(cell, widths[index] ?? 0, columns[index]?.align);
        used += stringWidth(shown) + gap.length;
        return finish(shown, index);
      })
      .join(gap)
      .trimEnd();
  };

  return {
    header: () =>
      line(
        columns.map(({ title }) => title),
        (cell) => cell,
      ),
    lines(rows) {
      const texts = rows.map((row) => columns.map((column) => plain(column.value(row))));
      for (const cells of texts)
        for (const [index, cell] of cells.entries())
          widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
      return texts.map((cells, at) =>
        line(cells, (cell, index) => columns[index]?.paint?.(cell, rows[at] as Row) ?? cell),
      );
    },
  };
}

/** Formats a whole table for an output: its header and its rows. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { output, paint }: { readonly output: Output; readonly paint: Paint },
): string[] {
  const table = createTable(columns, output.width);
  const lines = table.lines(rows);
  return [paint('dim', table.header()), ...lines];
}

const nameWidth = 10;

/** Formats facts as lines, without those that have no value. */
export function factLines(facts: readonly (readonly [string, string | null])[], paint: Paint): string[] {
  const indent = ' '.repeat(nameWidth);
  return facts.flatMap(([name, value]) =>
    value === null
      ? []
      : [`  ${paint('dim', name.padEnd(nameWidth))} ${value.replace(/\n/g, `\n  ${indent} `)}`],
  );
}
