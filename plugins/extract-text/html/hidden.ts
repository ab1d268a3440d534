import { elementNode, textNode, type MarkupElement, type MarkupNode } from './markup.js';

/** Elements whose content is left out: browsers hide it, show it only as a fallback, or above the text. */
const unseen = new Set([
  'HEAD',
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'IFRAME',
  'OBJECT',
  'AUDIO',
  'VIDEO',
  'CANVAS',
  'DATALIST',
  'TITLE',
  'LINK',
  'META',
  // The pronunciation of the text before it. Between the characters, it would keep searches from finding words.
  'RT',
  'RP',
  'RTC',
  // In MathML.
  'ANNOTATION',
]);
/** Elements of SVG that say what a drawing is. */
const unseenInDrawings = new Set(['DESC', 'METADATA']);
const hidingStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** Whether an element hides itself. Style sheets are not read. */
export function isHidden(element: MarkupElement, isInDrawing = false): boolean {
  if (unseen.has(element.nodeName)) return true;
  if (isInDrawing && unseenInDrawings.has(element.nodeName)) return true;
  if (element.nodeName === 'DIALOG' && element.getAttribute('open') === null) return true;
  return isHiddenByAttribute(element);
}

/** Whether an attribute hides an element. */
export function isHiddenByAttribute(element: MarkupElement): boolean {
  const hidden = element.getAttribute('hidden');
  // Browsers reveal `hidden="until-found"` content when a user searches the page.
  if (hidden !== null && hidden.toLowerCase() !== 'until-found') return true;
  return hidingStyle.test(element.getAttribute('style') ?? '');
}

/** Counts the visible words of an element. Words are separated by white space. */
export function countVisibleWords(root: MarkupNode, isInDrawing = false): number {
  if (root.nodeType === textNode) return (root.textContent ?? '').match(/\S+/g)?.length ?? 0;
  if (root.nodeType !== elementNode || isHidden(root as MarkupElement, isInDrawing)) return 0;
  const isDrawn = isInDrawing || root.nodeName === 'SVG';
  let words = 0;
  for (let child = root.firstChild; child !== null; child = child.nextSibling)
    words += countVisibleWords(child, isDrawn);
  return words;
}

export function visibleText(root: MarkupNode, isInDrawing = false): string {
  const isDrawn = isInDrawing || root.nodeName === 'SVG';
  let text = '';
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === textNode) text += child.textContent ?? '';
    else if (child.nodeType === elementNode && !isHidden(child as MarkupElement, isDrawn))
      text += visibleText(child, isDrawn);
  }
  return text;
}
