/** Node types as numbered by the DOM. */
export const elementNode = 1;
export const textNode = 3;

/** The tree interface that is converted to Markdown. DOM nodes of a page satisfy it. */
export interface MarkupNode {
  /** In capitals. */
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

export type BuiltAttributes = Readonly<Record<string, string>>;

const none: BuiltAttributes = {};

/** An element of a tree that is built by appending. */
export class BuiltElement extends Built implements MarkupElement {
  readonly nodeName: string;
  readonly nodeType = elementNode;
  readonly textContent = null;
  readonly #attributes: BuiltAttributes;

  constructor(nodeName: string, attributes: BuiltAttributes = none) {
    super();
    this.nodeName = nodeName;
    this.#attributes = attributes;
  }

  getAttribute(name: string): string | null {
    return Object.hasOwn(this.#attributes, name) ? (this.#attributes[name] as string) : null;
  }

  text(): string {
    let text = '';
    for (let child = this.firstChild; child !== null; child = child.nextSibling) {
      text += child instanceof BuiltElement ? child.text() : (child.textContent ?? '');
    }
    return text;
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

  /** Moves another element's children into this one. */
  takeFrom(other: BuiltElement): void {
    if (other.firstChild === null) return;
    if (this.lastChild === null) this.firstChild = other.firstChild;
    else this.lastChild.nextSibling = other.firstChild;
    this.lastChild = other.lastChild;
    other.firstChild = other.lastChild = null;
  }

  /**
   * Returns the last child if it has one of these names and, if attributes are given, exactly these; otherwise appends an
   * element with the first name.
   */
  continueOrBegin(names: readonly string[], attributes?: BuiltAttributes): BuiltElement {
    const last = this.lastChild;
    const isLike = last instanceof BuiltElement && names.includes(last.nodeName);
    if (isLike && (attributes === undefined || last.#has(attributes))) return last;
    return this.begin(names[0] as string, attributes);
  }

  begin(name: string, attributes: BuiltAttributes = none): BuiltElement {
    const element = new BuiltElement(name, attributes);
    this.append(element);
    return element;
  }

  #has(attributes: BuiltAttributes): boolean {
    const names = Object.keys(this.#attributes);
    return (
      names.length === Object.keys(attributes).length &&
      names.every((name) => this.#attributes[name] === attributes[name])
    );
  }
}
