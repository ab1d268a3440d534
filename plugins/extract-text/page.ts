import { parseHTML } from 'linkedom';
import { fileFault } from './failures.js';
import type { MarkupElement, MarkupNode } from './markup.js';

/** What is used of the DOM's interfaces of these names. */
export interface PageNode extends MarkupNode {
  readonly parentNode: PageNode | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
}

export interface PageElement extends PageNode, MarkupElement {
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  querySelector(selector: string): PageElement | null;
}

export interface Page {
  readonly documentElement: PageElement;
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
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
  if (shapeOf(page).deepest > deepest) throw tooDeep();
  return page;
}

function tooDeep(): Error {
  return fileFault('UNREADABLE_FILE', 'The elements of the page are nested too deeply');
}

/** How deeply the elements of a page are nested. */
export interface PageShape {
  readonly deepest: number;
  /** The depths of all nodes together: the work of what looks, from each, at all that it stands in. */
  readonly depths: number;
}

/** Goes through the nodes in their order without lists of them: pages have very many. */
export function shapeOf(page: Page): PageShape {
  const root: PageNode = page.documentElement;
  let node: PageNode | null = root;
  let [depth, deepest, depths] = [0, 0, 0];
  while (node !== null) {
    deepest = Math.max(deepest, depth);
    depths += depth;
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
  return { deepest, depths };
}

const elementsBetweenLooks = 256;

/**
 * Has the parser stop soon after elements are nested too deeply. It searches all open elements at every tag: without an end to
 * them, it needs time by the square of the page. It offers no limit of its own.
 */
function stopAtDepth(): void {
  type Create = (this: unknown, ...args: unknown[]) => PageNode;
  const { document } = parseHTML('<html></html>') as unknown as {
    document: { constructor: { prototype: object } };
  };
  const prototype = document.constructor.prototype as Record<'createElement' | 'createElementNS', Create>;
  let created = 0;
  let last: WeakRef<PageNode> | null = null;
  const look = (): void => {
    let depth = 0;
    for (let node = last?.deref() ?? null; node !== null; node = node.parentNode) depth += 1;
    if (depth > deepest + elementsBetweenLooks) throw tooDeep();
  };
  for (const name of ['createElement', 'createElementNS'] as const) {
    const create = prototype[name];
    prototype[name] = function (...args) {
      const element = create.apply(this, args);
      // It is put into the page after this, so that its depth is known at the next one.
      created += 1;
      if (created % elementsBetweenLooks === 0) last = new WeakRef(element);
      else if (created % elementsBetweenLooks === 1) look();
      return element;
    };
  }
}

stopAtDepth();
