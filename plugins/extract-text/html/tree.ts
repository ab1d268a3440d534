import { Parser } from 'htmlparser2';
import { fileFault } from '../failures.js';
import { visibleText } from './hidden.js';
import { BuiltElement } from './markup.js';

/** Browsers nest at most 512 elements. The code that reads a page recurses once per level. */
const deepest = 1000;

/** Elements allowed in a page's head. Any other element begins the body, with or without a body tag. */
const ofHead = new Set('base basefont bgsound link meta noscript script style template title'.split(' '));

/** A page's tree, from which Markdown is made, and its metadata. */
export interface HtmlTree {
  readonly root: BuiltElement;
  readonly title: string;
  /** The visible texts of the headlines of the highest rank. */
  readonly headlines: readonly string[];
  readonly language: string | null;
  /** By name or property in lower case. The first of several counts. */
  readonly meta: ReadonlyMap<string, string>;
  /** The nesting depth and the sum of all depths. Their limits bound the work of checks that walk up from each node. */
  readonly deepest: number;
  readonly depths: number;
}

/**
 * Parses HTML in one pass. Throws UNREADABLE_FILE if elements are nested too deeply.
 *
 * @param options.recognizeCDATA Whether CDATA sections are text, as in XHTML; HTML ignores them.
 */
export function parseTree(html: string, options: { readonly recognizeCDATA?: boolean } = {}): HtmlTree {
  const reading = new TreeReader();
  const parser = new Parser(reading, { decodeEntities: true, ...options });
  parser.write(html);
  parser.end();
  return reading.tree();
}

class TreeReader {
  readonly #root = new BuiltElement('#document');
  /** The destination of the content of each open element. */
  readonly #open: BuiltElement[] = [this.#root];
  readonly #headlines: BuiltElement[] = [];
  readonly #meta = new Map<string, string>();
  #title: BuiltElement | null = null;
  #language: string | null = null;
  /** The number of elements that were open around the open drawing; Infinity outside drawings. */
  #drawing = Infinity;
  #deepest = 0;
  #depths = 0;

  tree(): HtmlTree {
    return {
      root: this.#root,
      title: this.#title?.text() ?? '',
      headlines: this.#headlines.map(visibleText),
      language: this.#language,
      meta: this.#meta,
      deepest: this.#deepest,
      depths: this.#depths,
    };
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (!ofHead.has(name)) this.#leaveHead();
    this.#count();
    if (this.#open.length > deepest) throw tooDeep();
    if (name === 'svg') this.#drawing = Math.min(this.#drawing, this.#open.length);
    // Names keep their case inside drawings, so a title there is not the page's title.
    const nodeName = this.#open.length >= this.#drawing ? name : name.toUpperCase();
    const element = this.#parent.begin(nodeName, attributes);
    this.#open.push(element);
    if (name === 'title') this.#title ??= element;
    else if (name === 'h1') this.#headlines.push(element);
    else if (name === 'html') this.#language ??= element.getAttribute('lang');
    else if (name === 'meta') this.#describe(element);
  }

  ontext(text: string): void {
    if (/\S/.test(text)) this.#leaveHead();
    this.#count();
    this.#parent.appendText(text);
  }

  onclosetag(): void {
    this.#open.pop();
    if (this.#open.length <= this.#drawing) this.#drawing = Infinity;
  }

  get #parent(): BuiltElement {
    return this.#open.at(-1) as BuiltElement;
  }

  /** Ends the head, even though no tag has closed it. */
  #leaveHead(): void {
    if (this.#parent.nodeName === 'HEAD')
      this.#open[this.#open.length - 1] = this.#open.at(-2) as BuiltElement;
  }

  #count(): void {
    const depth = this.#open.length - 1;
    this.#deepest = Math.max(this.#deepest, depth);
    this.#depths += depth;
  }

  #describe(meta: BuiltElement): void {
    const key = (meta.getAttribute('name') ?? meta.getAttribute('property'))?.toLowerCase();
    const content = meta.getAttribute('content');
    if (key !== undefined && content !== null && !this.#meta.has(key)) this.#meta.set(key, content);
  }
}

function tooDeep(): Error {
  return fileFault('UNREADABLE_FILE', 'The elements of the page are nested too deeply');
}
