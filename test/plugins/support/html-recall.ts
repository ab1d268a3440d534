import { parseHTML } from 'linkedom';

/** What is used of a DOM that is made without the code under test. */
interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string;
  readonly childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
}

/** The shares, from 0 to 1, of what a page shows that stand in the Markdown made of it. */
export interface Recall {
  readonly words: number;
  readonly headings: number;
  readonly items: number;
  readonly cells: number;
  readonly code: number;
  readonly links: number;
}

const unseen = new Set(['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'DIALOG', 'RT', 'RP', 'RTC']);
/** Words go on through these. */
const inline = new Set(
  'A ABBR ACRONYM B BDI BDO BIG CITE CODE DEL DFN EM FONT I INS KBD LABEL Q S SAMP SMALL SPAN STRIKE STRONG TT U VAR WBR'.split(
    ' ',
  ),
);

/** Compares by words, so that marks, escapes and white space do not count. */
export function recallOf(html: string, markdown: string): Recall {
  const { document } = parseHTML(html) as unknown as { document: { documentElement: DomNode } };
  const page = seen(document.documentElement);
  const lines = markdown.split('\n');
  const bare = (text: string): string => wordsOf(text).join(' ');
  const plain = withoutMarks(markdown);
  const all = bare(plain);
  const headingLines = lines
    .filter((line) => /^[>\s\-\d.]*#{1,6} /.test(line))
    .map((line) => bare(withoutMarks(line).replace(/^[>\s\-\d.]*/, '')));
  const itemLines = lines.filter((line) => /^[\s>|]*(?:- |\d+\. )/.test(line)).length;
  const cellTexts = lines
    .filter((line) => /^[\s>\-\d.]*\|.*\|$/.test(line))
    .flatMap((line) => line.split(/(?<!\\)\|/))
    .map((cell) => bare(withoutMarks(cell)));
  const targets = new Set(
    Array.from(markdown.matchAll(/\]\(<?((?:[^()\s\\>]|\\.)*)/g), ([, target]) => target),
  );
  const of = (...names: string[]): DomNode[] =>
    page.elements.filter(({ nodeName }) => names.includes(nodeName));
  const visible = (node: DomNode): string => bare(seen(node).text);
  return {
    words: multisetShare(wordsOf(page.text), wordsOf(plain)),
    headings: listShare(of('H1', 'H2', 'H3', 'H4', 'H5', 'H6').map(visible).filter(Boolean), headingLines),
    items: countShare(of('LI').filter((item) => visible(item) !== '').length, itemLines),
    cells: share(
      dataCells(page.elements).map(visible).filter(Boolean),
      (text) => cellTexts.includes(text) || all.includes(text),
    ),
    code: share(
      of('PRE').flatMap((pre) =>
        pre.textContent
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      ),
      (line) => markdown.includes(line),
    ),
    links: share(
      of('A')
        .filter((link) => visible(link) !== '')
        .map((link) => link.getAttribute('href') ?? '')
        .filter(Boolean),
      (href) => targets.has(href.replaceAll(/[()<>]/g, '\\$&')) || targets.has(href) || href.includes(' '),
    ),
  };
}

function dataCells(elements: readonly DomNode[]): DomNode[] {
  return elements.filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
}

/** The text that a reader sees, and the elements in it. */
function seen(root: DomNode): { readonly text: string; readonly elements: DomNode[] } {
  const parts: string[] = [];
  const elements: DomNode[] = [];
  const visit = (node: DomNode): void => {
    if (node.nodeType === 3) parts.push(node.textContent);
    if (node.nodeType !== 1 || unseen.has(node.nodeName) || isHidden(node)) return;
    elements.push(node);
    const apart = inline.has(node.nodeName) ? '' : ' ';
    parts.push(apart);
    for (const child of node.childNodes) visit(child);
    parts.push(apart);
  };
  visit(root);
  return { text: parts.join(''), elements };
}

function isHidden(node: DomNode): boolean {
  return node.getAttribute('hidden') !== null || /display\s*:\s*none/.test(node.getAttribute('style') ?? '');
}

/** Emphasis is marked by underscores, which names have as well: they count on neither side. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replaceAll('_', '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Markdown without its marks and targets: words go on through them. */
export function withoutMarks(markdown: string): string {
  return markdown.replace(/\]\((?:[^()\\]|\\.)*\)/g, '').replace(/[`*~[]|\\(?=[!-/:-@[-`{-~])/g, '');
}

function multisetShare(expected: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of expected) {
    const count = left.get(word) ?? 0;
    if (count > 0) hits++;
    left.set(word, count - 1);
  }
  return expected.length === 0 ? 1 : hits / expected.length;
}

const listShare = (expected: readonly string[], found: readonly string[]): number =>
  multisetShare(expected, found);
const countShare = (expected: number, found: number): number =>
  expected === 0 ? 1 : Math.min(1, found / expected);
function share<T>(expected: readonly T[], isFound: (value: T) => boolean): number {
  return expected.length === 0 ? 1 : expected.filter(isFound).length / expected.length;
}
