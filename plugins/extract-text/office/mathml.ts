import { group, script } from './math.js';
import type { XmlElement, XmlVisitor } from './xml.js';

interface Open {
  readonly name: string;
  readonly attributes: XmlElement['attributes'];
  readonly children: string[];
  text: string;
}

/** Stands around words. It becomes a space where words meet. XML cannot contain this character. */
const gap = '\0';
/** Sums, products, integrals and the like, whose operand follows their limits. */
const nary = /^[∏-∑∫-∳⋀-⋃⨀-⨒]$/u;
const tokens = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
/** The source of a formula in another language, and space that only its size fills. */
const unseen = new Set(['annotation', 'annotation-xml', 'mphantom']);

/** Writes a formula in MathML in one line, as `LinearMath` writes those of OOXML (https://www.w3.org/TR/mathml-core/). */
export class LinearMathMl implements XmlVisitor {
  readonly #open: Open[] = [];
  #formula = '';

  /** The formula; empty if the root is no formula. */
  get formula(): string {
    return this.#formula.replace(/(?<=[\p{L}\p{N}])\0+(?=[\p{L}\p{N}])/gu, ' ').replaceAll(gap, '');
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
      if (!unseen.has(closed.name)) this.#open.at(-1)?.children.push(write(closed));
    } else if (closed.name === 'math') this.#formula = write(closed);
  }
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
      return `${group(first)}/${group(second)}`;
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
    case 'msqrt':
      return `√${group(joined(children))}`;
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
    default:
      return joined(children);
  }
}

function token(text: string): string {
  return /^[\p{L}\p{N}.,]{2}/u.test(text) && !/^[\p{N}.,]+$/u.test(text) ? `${gap}${text}${gap}` : text;
}

/** Concatenates without copying, so that deep nesting takes linear time. */
function joined(children: readonly string[], separator = ''): string {
  let all = '';
  for (const [index, text] of children.entries()) all += index === 0 ? text : separator + text;
  return all;
}
