import { parseHTML } from 'linkedom';
import type { MarkupElement } from './markup.js';

/** The used subset of the DOM interface of an element. */
export interface PageElement extends MarkupElement {
  querySelector(selector: string): PageElement | null;
}

/** Parses HTML. The page's `body` contains all content, even if the file omits that tag. */
export function parsePage(html: string): { readonly body: PageElement } {
  const whole = /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return (parseHTML(whole) as unknown as { document: { readonly body: PageElement } }).document;
}
