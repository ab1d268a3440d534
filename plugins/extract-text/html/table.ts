import { elementNode, type MarkupElement, type MarkupNode } from './markup.js';

export interface HtmlTable {
  readonly caption: MarkupElement | null;
  readonly rows: readonly (readonly MarkupElement[])[];
}

const sections = new Set(['THEAD', 'TBODY', 'TFOOT']);
/** Elements that a Markdown cell cannot contain. */
const needsBlocks = new Set(['TABLE', 'PRE', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6']);

/** Returns the cells of a data table; null if the table is only used for layout, or has content outside its cells. */
export function tableOf(table: MarkupElement): HtmlTable | null {
  const rows: MarkupElement[][] = [];
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
    for (let child = section.firstChild; child !== null; child = child.nextSibling) {
      const { nodeName } = child;
      if (nodeName === 'TR' ? !readRow(child) : sections.has(nodeName) && !readSection(child)) return false;
      if (nodeName === 'CAPTION') caption ??= child as MarkupElement;
      else if (nodeName !== 'TR' && !sections.has(nodeName) && !isBlank(child)) return false;
    }
    return true;
  };
  if (!readSection(table) || rows.every((cells) => cells.length < 2)) return null;
  return holdsBlocks(table) ? null : { caption, rows };
}

/** Stops at the first such element, so that each of several nested tables is searched only once. */
function holdsBlocks(root: MarkupNode): boolean {
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (needsBlocks.has(child.nodeName) || holdsBlocks(child)) return true;
  }
  return false;
}

function isBlank(node: MarkupNode): boolean {
  if (node.nodeType === elementNode)
    return ['COLGROUP', 'COL', 'SCRIPT', 'STYLE', 'TEMPLATE'].includes(node.nodeName);
  return node.nodeType !== 3 || (node.textContent ?? '').trim() === '';
}
