import { Parser, type ParserOptions } from 'htmlparser2';
import { visibleText } from './hidden.js';
import { BuiltElement } from './markup.js';

/** Browsers nest at most 512 elements. The code that reads a page recurses once per level. */
const deepest = 1000;

/**
 * Elements whose content the parser reads as text. They contain no elements, so they need no limit. The exception is a tag
 * that ends with a slash, such as `<title/>`: the parser nests the tags that follow in this element.
 */
const ofText = new Set(['script', 'style', 'title']);

/** Elements allowed in a page's head. Any other element begins the body, with or without a body tag. */
const ofHead = new Set('base basefont bgsound link meta noscript script style template title'.split(' '));

export interface HtmlTree {
  readonly root: BuiltElement;
  readonly title: string;
  /** The visible texts of the `h1` elements. */
  readonly headings: readonly string[];
  readonly language: string | null;
  /** By name or property in lower case. The first of several counts. */
  readonly meta: ReadonlyMap<string, string>;
  /** The nesting depth and the sum of all depths. Their limits bound the work of checks that walk up from each node. */
  readonly deepest: number;
  readonly depths: number;
}

/**
 * Parses HTML in one pass. Below the deepest level, an element is empty, and its content follows it: old pages nest
 * thousands of elements, since they never close them.
 */
export function parseTree(html: string): HtmlTree {
  const reading = new TreeReader();
  const parser = new FlatteningParser(reading, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return reading.tree();
}

class FlatteningParser extends Parser {
  readonly #reading: TreeReader;
  /** Whether the tag that is being opened is of an empty element; null outside of such tags. */
  #isEmpty: boolean | null = null;
  #isClosing = false;

  constructor(reading: TreeReader, options: ParserOptions) {
    super(reading, options);
    this.#reading = reading;
  }

  /** The parser asks this at the beginning and at the end of an opening tag, and once for a closing one. */
  override isVoidElement(name: string): boolean {
    if (super.isVoidElement(name)) return true;
    if (this.#isClosing) return false;
    const isEmpty = this.#isEmpty ?? (this.#reading.isFull && (!ofText.has(name) || this.#reading.isInText));
    this.#isEmpty = this.#isEmpty === null ? isEmpty : null;
    return isEmpty;
  }

  override onclosetag(start: number, endIndex: number): void {
    this.#isClosing = true;
    super.onclosetag(start, endIndex);
    this.#isClosing = false;
  }
}

class TreeReader {
  readonly #root = new BuiltElement('#document');
  /** The destination of the content of each open element. */
  readonly #open: BuiltElement[] = [this.#root];
  readonly #headings: BuiltElement[] = [];
  readonly #meta = new Map<string, string>();
  #title: BuiltElement | null = null;
  #language: string | null = null;
  #deepest = 0;
  #depths = 0;

  /** Whether the next element would be too deep to have children. */
  get isFull(): boolean {
    return this.#open.length > deepest;
  }

  /** Whether the parser should read the content here as text. */
  get isInText(): boolean {
    return ofText.has(this.#parent.nodeName.toLowerCase());
  }

  tree(): HtmlTree {
    return {
      root: this.#root,
      title: this.#title?.text() ?? '',
      headings: this.#headings.map((heading) => visibleText(heading)),
      language: this.#language,
      meta: this.#meta,
      deepest: this.#deepest,
      depths: this.#depths,
    };
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (!ofHead.has(name)) this.#leaveHead();
    this.#count();
    const element = this.#parent.begin(name.toUpperCase(), attributes);
    this.#open.push(element);
    if (name === 'title' && !this.isFull && !this.#isInDrawing) this.#title ??= element;
    else if (name === 'h1') this.#headings.push(element);
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
  }

  get #parent(): BuiltElement {
    return this.#open.at(-1) as BuiltElement;
  }

  /** Not known below the deepest level. */
  get #isInDrawing(): boolean {
    return this.#open.some(({ nodeName }) => nodeName === 'SVG');
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
