import TurndownService from 'turndown';
import { writeTable } from './markdown.js';
import type { PageElement, PageNode } from './page.js';
import type { TextWriter } from './text-writer.js';

/** Elements that only hold others: what is in them is converted a few blocks at a time. */
const containers = new Set(['HTML', 'BODY', 'DIV', 'MAIN', 'ARTICLE', 'SECTION', 'HEADER', 'FOOTER']);
const blocks = new Set([
  'P',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'UL',
  'OL',
  'DL',
  'PRE',
  'BLOCKQUOTE',
  'HR',
]);
const blocksAtATime = 32;

/**
 * Writes an element's content as Markdown; of images their alternative text. Turndown copies all it has so far for
 * every child of an element: long documents are handed to it a few blocks at a time, tables cell by cell.
 */
export function writeMarkdown(element: PageElement, out: TextWriter): void {
  const convert = converter(element);
  let group: PageNode[] = [];
  const flush = (): void => {
    out.block(convert(group));
    group = [];
  };
  const visitTable = (table: PageElement): void => {
    const rows = Array.from(table.querySelectorAll('tr'), (row) =>
      Array.from(row.childNodes).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH'),
    );
    // A table that only places things on the page.
    const isLayout = table.querySelector('table') !== null || rows.every((cells) => cells.length < 2);
    if (isLayout) visit(table);
    else
      writeTable(
        rows.map((cells) => cells.map((cell) => convert(Array.from(cell.childNodes)))),
        out,
      );
  };
  const visit = (parent: PageElement): void => {
    for (const child of Array.from(parent.childNodes)) {
      if (containers.has(child.nodeName) || layout.has(child.nodeName)) {
        flush();
        if (child.nodeName === 'TABLE') visitTable(child as PageElement);
        else visit(child as PageElement);
        flush();
      } else {
        group.push(child);
        if (group.length >= blocksAtATime && blocks.has(child.nodeName)) flush();
      }
    }
  };
  visit(element);
  flush();
}

const layout = new Set(['TABLE', 'THEAD', 'TBODY', 'TFOOT', 'TR', 'TD', 'TH', 'CAPTION', 'CENTER']);

/** Makes Markdown of nodes, which it takes out of their document. */
function converter(element: PageElement): (nodes: readonly PageNode[]) => string {
  const service = turndown();
  return (nodes) => {
    if (nodes.length === 0) return '';
    const holder = element.ownerDocument.createElement('div');
    holder.append(...nodes);
    return service.turndown(holder);
  };
}

function turndown(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  service.remove(['script', 'style', 'noscript', 'iframe', 'object', 'link', 'meta', 'title']);
  service.remove((node) => (node as PageNode).nodeName === 'TEMPLATE');
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => altText(node as PageElement),
  });
  service.addRule('listItem', {
    filter: 'li',
    replacement: (content, node) => {
      const mark = listMark(node as PageElement);
      return `${mark}${content.trim().replaceAll('\n', `\n${' '.repeat(mark.length)}`)}\n`;
    },
  });
  service.addRule('strikethrough', {
    filter: ['del', 's'],
    replacement: (content) => (content.trim() === '' ? '' : `~~${content.trim()}~~`),
  });
  // Tables that stand within a list, a quotation or a cell.
  service.addRule('cell', { filter: ['td', 'th'], replacement: (content) => `${content.trim()} ` });
  service.addRule('row', { filter: 'tr', replacement: (content) => `${content.trim()}\n` });
  return service;
}

function altText(image: PageElement): string {
  return image.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? '';
}

function listMark(item: PageElement): string {
  const list = item.parentElement;
  if (list?.nodeName !== 'OL') return '- ';
  const first = Number(list.getAttribute('start') ?? 1);
  const items = Array.from(list.childNodes).filter(({ nodeName }) => nodeName === 'LI');
  return `${first + items.indexOf(item)}. `;
}
