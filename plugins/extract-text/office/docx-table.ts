import { BuiltElement } from '../html/markup.js';

interface Cell {
  readonly content: BuiltElement;
  readonly columns: number;
  /** Whether the cell is merged with the one above it. */
  readonly goesOn: boolean;
}

/** Builds a table of rows and cells as they end. Omits cells that are merged with the one above. */
export class DocxTable {
  /** Properties of the open cell. */
  columns = 1;
  goesOn = false;
  /** Whether the open row was deleted. */
  isDeleted = false;
  isBetweenCells = true;
  readonly element = new BuiltElement('TABLE');
  readonly #begun = new Set<number>();
  #row: Cell[] = [];

  beginRow(): void {
    this.#row = [];
    this.isDeleted = false;
  }

  endRow(): void {
    if (this.isDeleted) return;
    const row = this.element.begin('TR');
    let column = 0;
    for (const { content, columns, goesOn } of this.#row) {
      if (!goesOn || !this.#begun.has(column)) {
        this.#begun.add(column);
        row.begin('TD').takeFrom(content);
      }
      column += columns;
    }
    this.#row = [];
  }

  beginCell(): void {
    [this.columns, this.goesOn, this.isBetweenCells] = [1, false, false];
  }

  endCell(content: BuiltElement): void {
    this.isBetweenCells = true;
    this.#row.push({ content, columns: this.columns, goesOn: this.goesOn });
  }
}
