import { Readability } from '@mozilla/readability';
import type { Extractor, SourceDocument } from '../document.js';
import { charsetOf } from '../html/charset.js';
import { withUsualComments } from '../html/comments.js';
import { countVisibleWords } from '../html/hidden.js';
import { writeMarkdown } from '../html/to-markdown.js';
import { htmlOf } from '../html/xhtml.js';
import { heading } from '../markdown.js';
import { parseTree, type HtmlTree } from '../html/tree.js';
import { parsePage, type PageElement } from '../html/page.js';
import { readText } from './plain.js';

const leastArticleLength = 140;
/** Minimum share of the page's words that its main part must have to replace the page. */
const leastShare = 0.5;

/** Detecting the main part looks in and around each element. Pages beyond these limits are taken as a whole. */
const mostForArticle = { deepest: 200, depths: 500_000 };

/** The detected main part of a page. */
interface Article {
  readonly content: PageElement;
  readonly author: string | null | undefined;
  readonly language: string | null | undefined;
  readonly publishedAt: string | null | undefined;
}

/** Converts a web page to Markdown: everything it shows, or its main part. */
export const extractHtml: Extractor = (document, out) => {
  const { mainContent } = document;
  const decoded = readText(document, charsetOf);
  const text = isXhtml(document) ? htmlOf(decoded.text) : withUsualComments(decoded.text);
  const tree = parseTree(text);
  const title = titleOf(tree);
  const article = mainContent === 'never' || isTooMuch(tree) ? null : articleOf(text, mainContent);
  const hasHeading = article ? article.content.querySelector('h1') !== null : tree.headings.length > 0;
  // Readability drops a heading that repeats the title.
  if (!hasHeading) out.block(heading(1, title));
  writeMarkdown(article?.content ?? tree.root, out);
  return Promise.resolve({
    title,
    author: article?.author ?? tree.meta.get('author'),
    language: tree.language ?? article?.language,
    createdAt: article?.publishedAt ?? tree.meta.get('article:published_time'),
    encoding: decoded.encoding,
    markdown: true,
  });
};

function isXhtml({ mediaType, name }: SourceDocument): boolean {
  return /^\s*application\/xhtml\+xml\b/i.test(mediaType ?? '') || /\.xht(?:ml)?$/i.test(name);
}

const asItStands = (node: unknown): PageElement => node as PageElement;

function isTooMuch({ deepest, depths }: HtmlTree): boolean {
  return deepest > mostForArticle.deepest || depths > mostForArticle.depths;
}

/** Returns the main part of the page; null if there is none, or if it has so few words that much would be lost. */
function articleOf(text: string, mainContent: SourceDocument['mainContent']): Article | null {
  const page = parsePage(text);
  const words = countVisibleWords(page.body);
  // Passes the element unchanged: serializing and parsing it again would be a large part of the work.
  const article = new Readability(page, { serializer: asItStands }).parse();
  const content = article?.content;
  if (!content || (article.textContent?.trim().length ?? 0) < leastArticleLength) return null;
  if (mainContent === 'auto' && countVisibleWords(content) < words * leastShare) return null;
  return { content, author: article.byline, language: article.lang, publishedAt: article.publishedTime };
}

/**
 * What follows a page's heading in its title: nothing, or a separator before the site's name. Most ASCII signs need a
 * space before them, since words may contain them.
 */
const endsHeading =
  /(?:$|\s*(?:[–—―|｜·•・－»«›‹：]|:(?!:))|(?:\s+|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]))[-:/<>_~])/uy;

/**
 * Returns a page's title. If it is empty, or is the page's only `h1` with or without the name of the site, returns that
 * heading.
 */
function titleOf(tree: HtmlTree): string {
  const title = tree.title.trim();
  const onlyHeading = tree.headings.length === 1 ? (tree.headings[0]?.trim() ?? '') : '';
  if (onlyHeading === '') return title;
  endsHeading.lastIndex = onlyHeading.length;
  const isHeading = title.startsWith(onlyHeading) && endsHeading.test(title);
  return title === '' || isHeading ? onlyHeading : title;
}
