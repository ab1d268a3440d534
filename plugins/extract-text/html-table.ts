import { elementNode } from './hidden.js';
import type { PageElement, PageNode } from './page.js';

export interface HtmlTable {
  readonly caption: PageElement | null;
  readonly rows: readonly (readonly PageElement[])[];
}

const sections = new Set(['THEAD', 'TBODY', 'TFOOT']);
/** What a cell of Markdown cannot hold. */
const needsBlocks = new Set(['TABLE', 'PRE', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6']);

/** The cells of a table of data; null of one that only places things on the page, or has content beside its cells. */
export function tableOf(table: PageElement): HtmlTable | null {
  const rows: PageElement[][] = [];
  let caption: PageElement | null = null;
  const readRow = (row: PageNode): boolean => {
    const cells: PageElement[] = [];
    for (let cell = row.firstChild; cell !== null; cell = cell.nextSibling) {
      if (cell.nodeName === 'TD' || cell.nodeName === 'TH') cells.push(cell as PageElement);
      else if (!isBlank(cell)) return false;
    }
    rows.push(cells);
    return true;
  };
  const readSection = (section: PageNode): boolean => {
    for (let child = section.firstChild; child !== null; child = child.nextSibling) {
      const { nodeName } = child;
      if (nodeName === 'TR' ? !readRow(child) : sections.has(nodeName) && !readSection(child)) return false;
      if (nodeName === 'CAPTION') caption ??= child as PageElement;
      else if (nodeName !== 'TR' && !sections.has(nodeName) && !isBlank(child)) return false;
    }
    return true;
  };
  if (!readSection(table) || rows.every((cells) => cells.length < 2)) return null;
  return holdsBlocks(table) ? null : { caption, rows };
}

/** Goes no further than to the first: of tables within tables each is looked through once. */
function holdsBlocks(root: PageNode): boolean {
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (needsBlocks.has(child.nodeName) || holdsBlocks(child)) return true;
  }
  return false;
}

function isBlank(node: PageNode): boolean {
  if (node.nodeType === elementNode)
    return ['COLGROUP', 'COL', 'SCRIPT', 'STYLE', 'TEMPLATE'].includes(node.nodeName);
  return node.nodeType !== 3 || (node.textContent ?? '').trim() === '';
}
