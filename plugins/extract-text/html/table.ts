import { visibleText } from './hidden.js';
import { elementNode, type MarkupElement, type MarkupNode } from './markup.js';

/** A cell, or null for a position that a merged cell covers. */
export type HtmlCell = MarkupElement | null;

export interface HtmlTable {
  readonly caption: MarkupElement | null;
  readonly rows: readonly (readonly HtmlCell[])[];
}

/** How many positions the merged cells of a table may cover, so that the text is not much longer than the page. */
const mostCovered = { perTable: 20, perCell: 8 };

const sections = new Set(['THEAD', 'TBODY', 'TFOOT']);
const headings = new Set(['H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
const lists = new Set(['UL', 'OL', 'DL']);
/** In a data table, cells with one of these are short. A table with a longer one is the layout of sections and programs. */
const blocks = new Set(['PRE', ...headings]);
/** In characters. */
const longestCell = 500;

/** Returns the cells of a data table; null if the table is only used for layout, or has content outside its cells. */
export function tableOf(table: MarkupElement): HtmlTable | null {
  const rows: MarkupElement[][] = [];
  /** The rows that begin a section, in which cells of the section before do not continue. */
  const sectionStarts = new Set<number>();
  let caption: MarkupElement | null = null;
  const readRow = (row: MarkupNode): boolean => {
    const cells: MarkupElement[] = [];
    for (let cell = row.firstChild; cell !== null; cell = cell.nextSibling) {
      if (cell.nodeName === 'TD' || cell.nodeName === 'TH') cells.push(cell as MarkupElement);
      else if (!isBlank(cell)) return false;
    }
    rows.push(cells);
    return true;
  };
  const readSection = (section: MarkupNode): boolean => {
    sectionStarts.add(rows.length);
    for (let child = section.firstChild; child !== null; child = child.nextSibling) {
      const { nodeName } = child;
      if (nodeName === 'TR' ? !readRow(child) : sections.has(nodeName) && !readSection(child)) return false;
      if (nodeName === 'CAPTION') caption ??= child as MarkupElement;
      else if (nodeName !== 'TR' && !sections.has(nodeName) && !isBlank(child)) return false;
    }
    sectionStarts.add(rows.length);
    return true;
  };
  if (!readSection(table) || rows.every((cells) => cells.length < 2) || holds(table, isTable)) return null;
  return isLayout(rows) ? null : { caption, rows: withCovered(rows, sectionStarts) };
}

/** Whether cells hold headings or code that would be lost in a table. */
function isLayout(rows: readonly (readonly MarkupElement[])[]): boolean {
  const all = rows.flat();
  if (!all.some((cell) => holds(cell, (name) => blocks.has(name)))) return false;
  const isGrid = rows.filter((cells) => cells.length > 1).length > 1;
  const isLong = (cell: MarkupElement): boolean => visibleText(cell).length > longestCell;
  return !isGrid || rows.some(isSection) || all.some((cell) => hasHeadedList(cell) || isLong(cell));
}

const hasHeadedList = (cell: MarkupElement): boolean =>
  holds(cell, (name) => headings.has(name)) && holds(cell, (name) => lists.has(name));

/** Whether a row only holds a heading, which names the rows below it. */
function isSection(cells: readonly MarkupElement[]): boolean {
  const [only, ...others] = cells.filter((cell) => visibleText(cell).trim() !== '');
  if (only === undefined || others.length > 0) return false;
  // A heading in a cell of a header row may be the name of a column beside an empty corner.
  return (only.nodeName === 'TD' || cells.length === 1) && holds(only, (name) => headings.has(name));
}

/** Returns rows in which each cell is in its column. */
function withCovered(
  rows: readonly (readonly MarkupElement[])[],
  sectionStarts: ReadonlySet<number>,
): HtmlCell[][] {
  let left = rows.reduce((sum, { length }) => sum + length * mostCovered.perCell, mostCovered.perTable);
  /** By column: the first row below the last cell with a `rowspan`. */
  let ends: number[] = [];
  return rows.map((cells, row) => {
    if (sectionStarts.has(row)) ends = [];
    const placed: HtmlCell[] = [];
    for (const cell of cells) {
      while ((ends[placed.length] ?? 0) > row && left-- > 0) placed.push(null);
      const start = placed.length;
      placed.push(cell);
      for (let columns = spanOf(cell, 'colspan'); columns > 1 && left-- > 0; columns--) placed.push(null);
      const end = row + spanOf(cell, 'rowspan');
      for (let column = start; column < placed.length; column++) ends[column] = end;
    }
    while (placed.at(-1) === null) placed.pop();
    return placed;
  });
}

/** Returns how many columns or rows a cell covers. A `rowspan` of 0 reaches to the end of the section. */
function spanOf(cell: MarkupElement, name: 'colspan' | 'rowspan'): number {
  const span = /^\s*(\d{1,9})/.exec(cell.getAttribute(name) ?? '')?.[1];
  if (name === 'rowspan' && Number(span) === 0) return Infinity;
  return Math.max(1, Number(span ?? 1));
}

function isTable(name: string): boolean {
  return name === 'TABLE';
}

/** Stops at the first such element, so that each of several nested tables is searched only once. */
function holds(root: MarkupNode, isSearched: (name: string) => boolean): boolean {
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (isSearched(child.nodeName) || holds(child, isSearched)) return true;
  }
  return false;
}

function isBlank(node: MarkupNode): boolean {
  if (node.nodeType === elementNode)
    return ['COLGROUP', 'COL', 'SCRIPT', 'STYLE', 'TEMPLATE'].includes(node.nodeName);
  return node.nodeType !== 3 || (node.textContent ?? '').trim() === '';
}
