import { parseHTML } from 'linkedom';
import type { MarkupElement, MarkupNode } from './markup.js';

/** The used subset of the DOM interface of the same name. */
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

/** Parses HTML. The page's `body` contains all content, even if the file omits that tag. */
export function parsePage(html: string): Page {
  const whole = /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return (parseHTML(whole) as unknown as { document: Page }).document;
}
