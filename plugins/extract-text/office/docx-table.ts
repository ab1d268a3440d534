import { BuiltElement } from '../html/markup.js';

interface Cell {
  readonly content: BuiltElement;
  /** Where it begins, among the columns of the table's grid. */
  readonly column: number;
  /** Whether the cell is merged with the one above it. */
  readonly isMergedAbove: boolean;
}

/** Word's tables have no more. Wider cells would make the output grow faster than the file. */
const mostColumns = 63;

/**
 * Builds a table of rows and cells as they end. What a merged cell covers becomes empty cells, so that the cells after it
 * stay in their columns.
 */
export class DocxTable {
  /** Properties of the open cell. */
  columns = 1;
  isMergedAbove = false;
  /** Whether the open row was deleted. */
  isDeleted = false;
  isBetweenCells = true;
  readonly #rows: Cell[][] = [];
  #row: Cell[] = [];
  #column = 0;

  beginRow(): void {
    [this.#row, this.#column, this.isDeleted] = [[], 0, false];
  }

  /** Begins the open row at a later column of the grid. */
  skip(columns: number): void {
    this.#column = Math.min(Math.max(columns, 0), mostColumns);
  }

  endRow(): void {
    if (!this.isDeleted) this.#rows.push(this.#row);
  }

  beginCell(): void {
    [this.columns, this.isMergedAbove, this.isBetweenCells] = [1, false, false];
  }

  endCell(content: BuiltElement): void {
    this.isBetweenCells = true;
    this.#row.push({ content, column: this.#column, isMergedAbove: this.isMergedAbove });
    this.#column += Math.min(Math.max(this.columns, 1), mostColumns);
  }

  end(): BuiltElement {
    const table = new BuiltElement('TABLE');
    const begun = new Set<number>();
    // The grid also has columns at which no cell begins.
    const columns = [...new Set(this.#rows.flatMap((row) => row.map(({ column }) => column)))];
    columns.sort((one, other) => one - other);
    for (const cells of this.#rows) {
      const row = table.begin('TR');
      let next = 0;
      for (const { content, column, isMergedAbove } of cells) {
        while ((columns[next++] as number) < column) row.begin('TD');
        const cell = row.begin('TD');
        if (!isMergedAbove || !begun.has(column)) cell.takeFrom(content);
        begun.add(column);
      }
    }
    return table;
  }
}
