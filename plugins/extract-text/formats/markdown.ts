import type { Extractor } from '../document.js';
import { readText } from './plain.js';

/** Keeps Markdown unchanged. Title and author come from its front matter or its first heading. */
export const extractMarkdown: Extractor = (document, out) => {
  const { text, encoding } = readText(document);
  out.write(text);
  const frontMatter = /^---\r?\n(.*?)\r?\n---\r?\n/s.exec(text.slice(0, 16_384))?.[1] ?? '';
  const heading = /^ {0,3}#{1,2}[ \t](.*\S.*)$/m.exec(text.slice(0, 65_536))?.[1];
  return Promise.resolve({
    title: frontMatterValue(frontMatter, 'title') ?? (heading && withoutClosing(heading)),
    author: frontMatterValue(frontMatter, 'author'),
    language: frontMatterValue(frontMatter, 'lang'),
    createdAt: frontMatterValue(frontMatter, 'date'),
    encoding,
    markdown: true,
  });
};

/** Returns a heading's text without closing marks, as in "## Text ##". */
function withoutClosing(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trim() : text;
}

function frontMatterValue(frontMatter: string, key: string): string | undefined {
  const line = new RegExp(`^${key}:[ \\t]*(.+)$`, 'mi').exec(frontMatter)?.[1]?.trim();
  return line?.replace(/^(["'])(.*)\1$/, '$2');
}
