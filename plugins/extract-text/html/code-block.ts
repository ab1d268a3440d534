import { isHidden } from './hidden.js';
import { longestRun } from './inline-markdown.js';
import { elementNode, textNode, type MarkupElement, type MarkupNode } from './markup.js';

/** Elements that may each be a line of code. */
const codeLines = new Set(['DIV', 'P', 'LI', 'TR']);

/** Returns a code block as Markdown, with the language that its class names. */
export function fencedCode(pre: MarkupElement): string {
  const { code, language } = codeOf(pre);
  if (code.trim() === '') return '';
  const fence = '`'.repeat(Math.max(3, longestRun(code, /`{3,}/g) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

export function codeOf(pre: MarkupElement): { code: string; language: string } {
  const parts: string[] = [];
  let language = languageOf(pre);
  const read = (parent: MarkupNode): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === textNode) parts.push(child.textContent ?? '');
      if (child.nodeType !== elementNode || isHidden(child as MarkupElement)) continue;
      if (child.nodeName === 'CODE') language ||= languageOf(child as MarkupElement);
      if (child.nodeName === 'BR') parts.push('\n');
      else if (child.nodeName === 'IMG') parts.push((child as MarkupElement).getAttribute('alt') ?? '');
      read(child);
      if (codeLines.has(child.nodeName) && parts.at(-1)?.endsWith('\n') === false) parts.push('\n');
    }
  };
  read(pre);
  return { code: parts.join('').replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd(), language };
}

function languageOf(element: MarkupElement): string {
  return /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,40})/.exec(element.getAttribute('class') ?? '')?.[1] ?? '';
}
