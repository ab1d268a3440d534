import { BlockWriter } from './block-writer.js';
import { codeOf, fencedCode } from './code-block.js';
import { isHidden, isHiddenByAttribute } from './hidden.js';
import { tableOf } from './table.js';
import { InlineMarkdown, type Mark } from './inline-markdown.js';
import { markdownHeading, tableOfRows } from '../markdown.js';
import { elementNode, textNode, type MarkupElement, type MarkupNode } from './markup.js';
import { formulaOf } from '../office/mathml.js';
import type { TextWriter } from '../text-writer.js';

/**
 * Writes an element's content as Markdown, with the alternative text of images. Each node is visited once,
 * and its output does not grow with its depth, so the time is proportional to the page.
 */
export function writeMarkdown(element: MarkupElement, out: TextWriter): void {
  const converter = new Converter(out);
  converter.visitChildren(element);
  converter.end();
}

const blocks = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIALOG DIR DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM ' +
    'FRAMESET H1 H2 H3 H4 H5 H6 HEADER HGROUP HR HTML LEGEND LI MAIN MENU NAV NOFRAMES OL OPTGROUP OPTION P PRE SEARCH SECTION ' +
    'SELECT SUMMARY TABLE TBODY TD TEXTAREA TFOOT TH THEAD TR UL'
  ).split(' '),
);
const marks = new Map<string, Mark>([
  ['EM', '_'],
  ['I', '_'],
  ['STRONG', '**'],
  ['B', '**'],
  ['DEL', '~~'],
  ['S', '~~'],
  ['STRIKE', '~~'],
]);
/** Inline elements that are boxes on the page, so that the words around them do not touch. */
const boxes = new Set(
  'AUDIO BUTTON CANVAS EMBED IFRAME IMG INPUT METER OBJECT PROGRESS SVG VIDEO'.split(' '),
);
const codes = new Set(['CODE', 'TT', 'KBD', 'SAMP']);
/** A number that changes the one before it if nothing separates them: an exponent, or the numbers of footnotes. */
const raisedNumber = /^[-+\u2212]?\d+(?:\s*[.,\u2013-]\s*\d+)*$/;

interface List {
  readonly isOrdered: boolean;
  readonly isNested: boolean;
  next: number;
  hasItems: boolean;
}

class Converter {
  readonly #blocks: BlockWriter;
  #inline = new InlineMarkdown();
  readonly #lists: List[] = [];
  /** Inside a heading or a cell, which must be one line: blocks are only separated by a space. */
  #isFlat = false;
  /** Inside code that contains links, which is written as text. */
  #isCode = false;
  #isInDrawing = false;
  /** Inside a formula that is read as text. */
  #isInFormula = false;
  /** A formula was written that KaTeX may repeat with its own elements. */
  #mayRepeat = false;

  constructor(out: TextWriter) {
    this.#blocks = new BlockWriter(out);
  }

  end(): void {
    this.#flush();
    this.#blocks.end();
  }

  visitChildren(parent: MarkupNode): void {
    // Some parsers split a text at every character reference.
    let text = '';
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === textNode) text += child.textContent ?? '';
      if (child.nodeType !== elementNode) continue;
      this.#inline.text(text);
      text = '';
      this.#visit(child as MarkupElement);
    }
    this.#inline.text(text);
  }

  #visit(element: MarkupElement): void {
    const isBox =
      boxes.has(element.nodeName) &&
      element.getAttribute('type') !== 'hidden' &&
      !isHiddenByAttribute(element);
    if (isBox) this.#inline.gap();
    if (!isHidden(element, this.#isInDrawing)) this.#visitVisible(element);
    if (isBox) this.#inline.gap();
  }

  #visitVisible(element: MarkupElement): void {
    const isBlock = blocks.has(element.nodeName);
    if (isBlock) this.#flush();
    if (!isBlock) this.#visitInline(element);
    else if (this.#isFlat && element.nodeName === 'PRE') this.#writeCodeLines(element);
    else if (this.#isFlat) this.visitChildren(element);
    else this.#visitBlock(element);
    if (isBlock) this.#flush();
  }

  #visitBlock(element: MarkupElement): void {
    const { nodeName } = element;
    if (/^H[1-6]$/.test(nodeName)) {
      this.#blocks.block(markdownHeading(Number(nodeName[1]), this.#lineOf(element)));
    } else if (nodeName === 'PRE') {
      this.#blocks.block(fencedCode(element));
    } else if (nodeName === 'HR') {
      this.#blocks.block('* * *');
    } else if (nodeName === 'BLOCKQUOTE') {
      this.#frame('> ', element, { repeats: true });
    } else if (nodeName === 'UL' || nodeName === 'OL' || nodeName === 'MENU' || nodeName === 'DIR') {
      this.#visitList(element);
    } else if (nodeName === 'LI') {
      this.#visitItem(element);
    } else if (nodeName === 'TABLE') {
      this.#visitTable(element);
    } else {
      this.visitChildren(element);
    }
  }

  #frame(mark: string, element: MarkupElement, options: { tight?: boolean; repeats?: boolean }): void {
    this.#blocks.enter(mark, options);
    this.visitChildren(element);
    this.#flush();
    this.#blocks.leave();
  }

  #visitList(list: MarkupElement): void {
    const isOrdered = list.nodeName === 'OL';
    const next = numberOf(list.getAttribute('start')) ?? 1;
    this.#lists.push({ isOrdered, isNested: this.#lists.length > 0, next, hasItems: false });
    this.visitChildren(list);
    this.#flush();
    this.#lists.pop();
  }

  #visitItem(item: MarkupElement): void {
    const list = this.#lists.at(-1);
    const tight = list !== undefined && (list.isNested || list.hasItems);
    if (list) list.hasItems = true;
    if (list?.isOrdered) {
      const number = numberOf(item.getAttribute('value')) ?? list.next;
      list.next = number + 1;
      this.#frame(`${number}. `, item, { tight });
    } else {
      this.#frame('- ', item, { tight });
    }
  }

  #visitTable(element: MarkupElement): void {
    const table = tableOf(element);
    if (table === null) {
      this.visitChildren(element);
      return;
    }
    if (table.caption) this.#visit(table.caption);
    this.#blocks.pieces(tableOfRows(table.rows, (cell) => (cell === null ? '' : this.#lineOf(cell))));
  }

  #lineOf(element: MarkupElement): string {
    const [outer, wasFlat] = [this.#inline, this.#isFlat];
    [this.#inline, this.#isFlat] = [new InlineMarkdown(), true];
    if (!isHidden(element)) this.visitChildren(element);
    const line = this.#inline.take();
    [this.#inline, this.#isFlat] = [outer, wasFlat];
    return line;
  }

  #visitInline(element: MarkupElement): void {
    const { nodeName } = element;
    const mark = marks.get(nodeName);
    if (nodeName === 'BR') {
      if (this.#isFlat) this.#inline.space();
      else this.#inline.lineBreak();
    } else if (nodeName === 'IMG') {
      this.#inline.text(element.getAttribute('alt') ?? '');
    } else if (mark !== undefined) {
      const isOpened = this.#inline.open(mark);
      this.visitChildren(element);
      if (isOpened) this.#inline.close(mark);
    } else if (nodeName === 'A') {
      this.#visitLink(element);
    } else if (nodeName === 'SUP') {
      const number = soleText(element)?.trim() ?? '';
      if (raisedNumber.test(number)) this.#inline.raised(number);
      else this.visitChildren(element);
    } else if (codes.has(nodeName) && !this.#isCode) {
      this.#visitCode(element);
    } else if ((nodeName === 'MATH' || nodeName.endsWith(':MATH')) && !this.#isInFormula) {
      this.#visitMath(element);
    } else if (this.#mayRepeat && isKatexHtml(element)) {
      this.#mayRepeat = false;
    } else if (nodeName === 'SVG' && !this.#isInDrawing) {
      this.#isInDrawing = true;
      this.visitChildren(element);
      this.#isInDrawing = false;
    } else {
      const isLabel = this.#isInDrawing && standsApart(element);
      if (isLabel) this.#inline.space();
      this.visitChildren(element);
      if (isLabel) this.#inline.space();
    }
  }

  #visitLink(link: MarkupElement): void {
    const target = link.getAttribute('href') ?? '';
    if (isPermalink(link, target)) return;
    const isOpened = this.#inline.openLink(linkTarget(target));
    this.visitChildren(link);
    if (isOpened) this.#inline.closeLink();
  }

  #visitCode(code: MarkupElement): void {
    const text = plainCode(code);
    if (text !== null) {
      this.#inline.code(text);
      return;
    }
    this.#isCode = true;
    this.visitChildren(code);
    this.#isCode = false;
  }

  /** Writes each line of a code block as inline code, where there is room for one line only. */
  #writeCodeLines(pre: MarkupElement): void {
    for (const line of codeOf(pre).code.split('\n')) {
      this.#inline.code(line);
      this.#inline.space();
    }
  }

  #visitMath(math: MarkupElement): void {
    const written = formulaOf(math, blocks);
    const formula = written === '' ? (math.getAttribute('alttext') ?? '') : (written ?? '');
    if (formula === '') {
      this.#isInFormula = true;
      this.visitChildren(math);
      this.#isInFormula = false;
      return;
    }
    const isDisplayed = math.getAttribute('display') === 'block';
    if (isDisplayed) this.#inline.space();
    this.#inline.formula(formula);
    if (isDisplayed) this.#inline.gap();
    this.#mayRepeat = true;
  }

  #flush(): void {
    if (this.#isFlat) this.#inline.space();
    else this.#blocks.block(this.#inline.take());
  }
}

function numberOf(attribute: string | null): number | null {
  return /^\s*-?\d{1,9}\s*$/.test(attribute ?? '') ? Number(attribute) : null;
}

/** Targets that contain their content or code. */
const embedded = /^(?:data|blob|javascript):/i;
/** Longer targets contain data. */
const longestTarget = 2_000;

/** Returns the target of a link; empty if it is not worth a place in the text. */
function linkTarget(href: string): string {
  const trimmed = href.trim();
  if (trimmed.length > longestTarget || embedded.test(trimmed)) return '';
  const target = trimmed.replace(/[()<>]/g, '\\$&');
  return /\s/.test(target) ? `<${target.replace(/\s+/g, ' ')}>` : target;
}

/** Whether a link is the mark beside a heading that links to that heading. */
function isPermalink(link: MarkupElement, target: string): boolean {
  return target.startsWith('#') && /^\s*[¶§#🔗]\s*$/u.test(soleText(link) ?? '');
}

/** Whether an element shows the formula that a `math` element before it holds. */
function isKatexHtml(element: MarkupElement): boolean {
  const classes = (element.getAttribute('class') ?? '').split(/\s+/);
  return classes.includes('katex-html') && element.getAttribute('aria-hidden') === 'true';
}

/** Whether an element of a drawing has a place of its own. */
function standsApart(element: MarkupElement): boolean {
  const { nodeName } = element;
  if (nodeName === 'TSPAN') return ['x', 'y', 'dy'].some((name) => element.getAttribute(name) !== null);
  return nodeName === 'TEXT' || nodeName === 'FOREIGNOBJECT';
}

/** Returns the text of an element that contains nothing else, perhaps in one SPAN; null for other elements. */
function soleText(element: MarkupElement): string | null {
  const only = element.firstChild;
  if (only?.nodeName === 'SPAN' && only.nextSibling === null && !isHidden(only as MarkupElement))
    return soleText(only as MarkupElement);
  let text = '';
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType !== textNode) return null;
    text += child.textContent ?? '';
  }
  return text;
}

/** Returns the text of inline code; null if it contains a link or an image, which inline code cannot hold. */
function plainCode(code: MarkupElement): string | null {
  const parts: string[] = [];
  const isPlain = (parent: MarkupNode): boolean => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === textNode) parts.push(child.textContent ?? '');
      if (child.nodeType !== elementNode || isHidden(child as MarkupElement)) continue;
      if (child.nodeName === 'A' && (child as MarkupElement).getAttribute('href')) return false;
      if (child.nodeName === 'IMG' || blocks.has(child.nodeName)) return false;
      if (child.nodeName === 'BR') parts.push(' ');
      if (!isPlain(child)) return false;
    }
    return true;
  };
  return isPlain(code) ? parts.join('') : null;
}
