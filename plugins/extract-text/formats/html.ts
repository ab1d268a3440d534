import { Readability } from '@mozilla/readability';
import { decodeText } from '../encoding.js';
import type { Extractor, SourceDocument } from '../document.js';
import { countVisibleWords } from '../hidden.js';
import { writeMarkdown } from '../html-to-markdown.js';
import { heading } from '../markdown.js';
import { parsePage, shapeOf, type Page, type PageElement } from '../page.js';

const leastArticleLength = 140;
/** Of the words of the page, for its main part to be taken for all of it. */
const leastShare = 0.5;

/** What finds the main part looks from each element at what is in it and around it: of a page beyond these all is taken. */
const mostForArticle = { deepest: 200, depths: 500_000 };

/** What is known of the page's main part. */
interface Article {
  readonly content: PageElement;
  readonly author: string | null | undefined;
  readonly language: string | null | undefined;
  readonly publishedAt: string | null | undefined;
}

/** A web page as Markdown: all that it shows, or its main part. */
export const extractHtml: Extractor = ({ source, mediaType, mainContent }, out) => {
  const bytes = source.read(0, source.sizeBytes);
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(mediaType ?? '')?.[1];
  const { text, encoding } = decodeText(bytes, charset ?? declaredCharset(bytes));
  const page = parsePage(text);
  const title = titleOf(page);
  const known = {
    language: page.documentElement.getAttribute('lang'),
    author: metaOf(page, 'meta[name="author"]'),
    createdAt: metaOf(page, 'meta[property="article:published_time"]'),
  };
  const isWhole = mainContent === 'never' || isTooMuch(page);
  const article = isWhole ? null : articleOf(page, mainContent);
  // Readability takes the document apart: what it leaves out must come from another copy.
  const content = article?.content ?? (isWhole ? page : parsePage(text)).body;
  // Readability leaves out a headline that says the same as the title.
  if (content.querySelector('h1') === null) out.block(heading(1, title));
  writeMarkdown(content, out);
  return Promise.resolve({
    title,
    author: article?.author ?? known.author,
    language: known.language ?? article?.language,
    createdAt: article?.publishedAt ?? known.createdAt,
    encoding,
    markdown: true,
  });
};

const asItStands = (node: unknown): PageElement => node as PageElement;

function isTooMuch(page: Page): boolean {
  const { deepest, depths } = shapeOf(page);
  return deepest > mostForArticle.deepest || depths > mostForArticle.depths;
}

/** The main part of the page; null when there is none, or when it has so few of the words that much would be lost. */
function articleOf(page: Page, mainContent: SourceDocument['mainContent']): Article | null {
  const words = countVisibleWords(page.body);
  // It is taken over as it stands: writing it out and parsing it again would be a good part of the work.
  const article = new Readability(page, { serializer: asItStands }).parse();
  const content = article?.content;
  if (!content || (article.textContent?.trim().length ?? 0) < leastArticleLength) return null;
  if (mainContent === 'auto' && countVisibleWords(content) < words * leastShare) return null;
  return { content, author: article.byline, language: article.lang, publishedAt: article.publishedTime };
}

function metaOf(page: Page, selector: string): string | null {
  return page.querySelector(selector)?.getAttribute('content') ?? null;
}

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
