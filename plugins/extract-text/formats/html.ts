import { Readability } from '@mozilla/readability';
import { decodeText } from '../encoding.js';
import type { Extractor } from '../document.js';
import { writeMarkdown } from '../html-to-markdown.js';
import { heading } from '../markdown.js';
import { parsePage, type Page, type PageElement } from '../page.js';

const leastArticleLength = 140;

const asItStands = (node: unknown): PageElement => node as PageElement;

/** A web page's article as Markdown; the whole body where no article stands out. */
export const extractHtml: Extractor = ({ source, mediaType }, out) => {
  const bytes = source.read(0, source.sizeBytes);
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(mediaType ?? '')?.[1];
  const { text, encoding } = decodeText(bytes, charset ?? declaredCharset(bytes));
  const document = parsePage(text);
  const language = document.documentElement.getAttribute('lang');
  const title = titleOf(document);
  // The article is taken over as it stands: writing it out and parsing it again would be a good part of the work.
  const article = new Readability(document, { serializer: asItStands }).parse();
  const isArticle = (article?.textContent?.trim().length ?? 0) >= leastArticleLength;
  // Readability takes the document apart: what it leaves out must come from another copy.
  const content = isArticle && article?.content ? article.content : parsePage(text).body;
  // Readability leaves out a headline that says the same as the title.
  if (content.querySelector('h1') === null) out.block(heading(1, title));
  writeMarkdown(content, out);
  return Promise.resolve({
    title,
    author: article?.byline,
    language: language ?? article?.lang,
    createdAt: article?.publishedTime,
    encoding,
    markdown: true,
  });
};

/** A page's title, without the name of its site where the page's one headline tells the two apart. */
function titleOf(page: Page): string {
  const title = page.querySelector('title')?.textContent?.trim() ?? '';
  const headlines = page.querySelectorAll('h1');
  const headline = headlines.length === 1 ? (headlines[0]?.textContent?.trim() ?? '') : '';
  return headline !== '' && (title === '' || title.startsWith(headline)) ? headline : title;
}

/** The encoding named in a page's first 1024 bytes (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding). */
function declaredCharset(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 1024).toString('latin1');
  return (/<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start) ??
    /^<\?xml[^>]+encoding="([^"]+)"/.exec(start))?.[1];
}
