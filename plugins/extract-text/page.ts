import { parseHTML } from 'linkedom';
import { fileFault } from './failures.js';

/** What is used of the DOM's interfaces of these names. */
export interface PageNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<PageNode>;
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

function checkDepth(root: PageNode): void {
  let level: readonly PageNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw fileFault('UNREADABLE_FILE', 'The elements of the page are nested too deeply');
    level = level.flatMap((node) => Array.from(node.childNodes));
  }
}
