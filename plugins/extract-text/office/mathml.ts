import { isHidden, visibleText } from '../html/hidden.js';
import { elementNode, textNode, type MarkupElement, type MarkupNode } from '../html/markup.js';
import { gap, group, joined, script, withoutGaps } from './math.js';
import type { XmlElement, XmlVisitor } from './xml.js';

interface Open {
  readonly name: string;
  readonly attributes: XmlElement['attributes'];
  readonly children: string[];
  text: string;
}

/** Stands where the scripts before their base begin. */
const prescripts = gap + gap;
/** Sums, products, integrals and the like, whose operand follows their limits. */
const nary = /^[∏-∑∫-∳⋀-⋃⨀-⨒]$/u;
const tokens = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
/** The source of a formula in another language. */
const annotations = new Set(['annotation', 'annotation-xml']);

/** Writes a formula in MathML in one line, as `LinearMath` writes those of OOXML (https://www.w3.org/TR/mathml-core/). */
export class LinearMathMl implements XmlVisitor {
  readonly #open: Open[] = [];
  #formula = '';

  /** The formula; empty if the root is not a formula. */
  get formula(): string {
    return withoutGaps(this.#formula);
  }

  open({ name, attributes }: XmlElement): void {
    this.#open.push({ name, attributes, children: [], text: '' });
  }

  text(text: string): void {
    const last = this.#open.at(-1);
    if (last && tokens.has(last.name)) last.text += text;
  }

  close(): void {
    const closed = this.#open.pop() as Open;
    if (this.#open.length > 0) {
      if (!annotations.has(closed.name)) this.#open.at(-1)?.children.push(write(closed));
    } else if (closed.name === 'math') this.#formula = write(closed);
  }
}

/**
 * Returns the formula of a `math` element of a page in one line; empty if it has no presentation. Returns null if it
 * contains text outside its tokens or blocks, such as the text after a forgotten end tag.
 */
export function formulaOf(math: MarkupElement, blocks: ReadonlySet<string>): string | null {
  const writer = new LinearMathMl();
  let isFormula = true as boolean;
  const check = (node: MarkupNode): void => {
    if (blocks.has(node.nodeName)) isFormula = false;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) check(child);
  };
  const read = (element: MarkupElement): void => {
    const local = localName(element);
    const isVisible = annotations.has(local) || !isHidden(element);
    const name = isVisible ? local : 'none';
    const [open, close] = [element.getAttribute('open'), element.getAttribute('close')];
    writer.open({
      name,
      prefix: '',
      attributes: { ...(open !== null && { open }), ...(close !== null && { close }) },
    });
    if (!isVisible || annotations.has(name)) {
      writer.close();
      return;
    }
    if (blocks.has(element.nodeName)) isFormula = false;
    // A token may contain elements of HTML.
    if (tokens.has(name)) {
      check(element);
      writer.text(visibleText(element));
    } else {
      for (let child = element.firstChild; child !== null; child = child.nextSibling) {
        if (child.nodeType === elementNode) read(child as MarkupElement);
        else if (child.nodeType === textNode && (child.textContent ?? '').trim() !== '') isFormula = false;
      }
    }
    writer.close();
  };
  read(math);
  return isFormula ? writer.formula.trim() : null;
}

function localName({ nodeName }: MarkupElement): string {
  return nodeName.slice(nodeName.indexOf(':') + 1).toLowerCase();
}

function write({ name, attributes, children, text }: Open): string {
  const [first = '', second = '', third = ''] = children;
  switch (name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'ms':
    case 'mtext':
      return token(text.replace(/\s+/g, ' ').trim());
    case 'mfrac':
      return `${gap}${group(first)}/${group(second)}${gap}`;
    case 'msub':
    case 'munder':
      return group(first) + script('_', second);
    case 'msup':
    case 'mover':
      return group(first) + script('^', second);
    case 'msubsup':
    case 'munderover':
      return (
        group(first) +
        script('_', second) +
        script('^', third) +
        (first.length === 1 && nary.test(first) ? ' ' : '')
      );
    case 'mmultiscripts': {
      const end = children.indexOf(prescripts);
      const before = end < 0 ? [] : children.slice(end + 1);
      return scripts(before) + group(first) + scripts(children.slice(1, end < 0 ? undefined : end));
    }
    case 'mprescripts':
      return prescripts;
    case 'msqrt':
      return `√${group(joined(children))}${gap}`;
    case 'mroot':
      return `√(${second}&${first})`;
    case 'mfenced':
      return (attributes['open'] ?? '(') + joined(children, ', ') + (attributes['close'] ?? ')');
    case 'mtr':
      return joined(children, ', ');
    case 'mtable':
      return joined(children, '; ');
    case 'semantics':
      return first;
    case 'mphantom':
      return '';
    default:
      return joined(children);
  }
}

/** Writes pairs of a lower and an upper script. */
function scripts(pairs: readonly string[]): string {
  return joined(pairs.map((text, index) => script(index % 2 === 0 ? '_' : '^', text)));
}

function token(written: string): string {
  const text = written.replaceAll('\u2061', '').replaceAll('\u2063', ',');
  return /^[\p{L}\p{N}.,]{2}/u.test(text) && !/^[\p{N}.,]+$/u.test(text) ? `${gap}${text}${gap}` : text;
}
