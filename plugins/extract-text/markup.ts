import { elementNode, textNode } from './hidden.js';

/** What is asked of a tree that becomes Markdown. The nodes of a page are such ones. */
export interface MarkupNode {
  /** Of HTML elements in capitals. */
  readonly nodeName: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly firstChild: MarkupNode | null;
  readonly nextSibling: MarkupNode | null;
}

export interface MarkupElement extends MarkupNode {
  getAttribute(name: string): string | null;
}

abstract class Built implements MarkupNode {
  abstract readonly nodeName: string;
  abstract readonly nodeType: number;
  abstract readonly textContent: string | null;
  firstChild: Built | null = null;
  lastChild: Built | null = null;
  nextSibling: Built | null = null;
}

class BuiltText extends Built {
  readonly nodeName = '#text';
  readonly nodeType = textNode;
  textContent: string;

  constructor(text: string) {
    super();
    this.textContent = text;
  }
}

/** An attribute of an element: of those that are built none has more. */
export interface BuiltAttribute {
  readonly name: string;
  readonly value: string;
}

/** An element of a tree that grows at its end. */
export class BuiltElement extends Built implements MarkupElement {
  readonly nodeName: string;
  readonly nodeType = elementNode;
  readonly textContent = null;
  readonly #attribute: BuiltAttribute | null;

  constructor(nodeName: string, attribute: BuiltAttribute | null = null) {
    super();
    this.nodeName = nodeName;
    this.#attribute = attribute;
  }

  getAttribute(name: string): string | null {
    return this.#attribute?.name === name ? this.#attribute.value : null;
  }

  append(child: Built): void {
    if (this.lastChild === null) this.firstChild = child;
    else this.lastChild.nextSibling = child;
    this.lastChild = child;
  }

  appendText(text: string): void {
    if (this.lastChild instanceof BuiltText) this.lastChild.textContent += text;
    else if (text !== '') this.append(new BuiltText(text));
  }

  /** Has another element's children be this one's. */
  takeFrom(other: BuiltElement): void {
    if (other.firstChild === null) return;
    if (this.lastChild === null) this.firstChild = other.firstChild;
    else this.lastChild.nextSibling = other.firstChild;
    this.lastChild = other.lastChild;
    other.firstChild = other.lastChild = null;
  }

  /** The element at the end if it is one of these names with this attribute, else a new one of the first name. */
  goOn(names: readonly string[], attribute: BuiltAttribute | null = null): BuiltElement {
    const last = this.lastChild;
    if (last instanceof BuiltElement && names.includes(last.nodeName) && last.#has(attribute)) return last;
    return this.begin(names[0] as string, attribute);
  }

  /** A new element at the end. */
  begin(name: string, attribute: BuiltAttribute | null = null): BuiltElement {
    const element = new BuiltElement(name, attribute);
    this.append(element);
    return element;
  }

  #has(attribute: BuiltAttribute | null): boolean {
    return this.#attribute?.name === attribute?.name && this.#attribute?.value === attribute?.value;
  }
}
