import { parseHTML } from 'linkedom';

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

/** Parses HTML. The page's `body` holds all of its content, also where the file leaves that tag out. */
export function parsePage(html: string): Page {
  const whole = /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document as unknown as Page;
}
