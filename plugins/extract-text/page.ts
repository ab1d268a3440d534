import { parseHTML } from 'linkedom';
import { fileFault } from './failures.js';

/** What is used of the DOM's interfaces of these names. */
export interface PageNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<PageNode>;
  readonly parentNode: PageNode | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
}

export interface PageElement extends PageNode {
  readonly ownerDocument: Page;
  readonly parentElement: PageElement | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  append(...nodes: readonly PageNode[]): void;
}

export interface Page {
  readonly documentElement: PageElement;
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  createElement(name: string): PageElement;
}

/** Browsers nest 512 elements at most. What reads a page calls itself for every level. */
const deepest = 1000;

/**
 * Parses HTML. The page's `body` holds all of its content, also where the file leaves that tag out. Throws
 * UNREADABLE_FILE when elements are nested too deeply.
 */
export function parsePage(html: string): Page {
  const whole = /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document: page } = parseHTML(whole) as unknown as { document: Page };
  checkDepth(page.documentElement);
  return page;
}

/** Goes through the nodes in their order without lists of them: pages have very many. */
function checkDepth(root: PageNode): void {
  let node: PageNode | null = root;
  let depth = 0;
  while (node !== null) {
    if (depth > deepest) throw fileFault('UNREADABLE_FILE', 'The elements of the page are nested too deeply');
    const { firstChild }: PageNode = node;
    if (firstChild !== null) {
      node = firstChild;
      depth += 1;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      depth -= 1;
    }
    node = node === root ? null : (node?.nextSibling ?? null);
  }
}
