/** A page, slide, sheet or chapter of a text. */
export interface PageStart {
  /** From 1, as readers count them. */
  readonly number: number;
  /** Where it begins, in Unicode code points from the beginning of the text; of a page without text, where it would begin. */
  readonly start: number;
}

/** What the metadata of a `text` artifact says of how the text is laid out. */
export interface TextLayout {
  /** Whether lines such as `## Setup` are headings. */
  readonly isMarkdown: boolean;
  /** In the order of `start`; null when the format has no pages, or when they are in the artifact `pagesIn`. */
  readonly pages: readonly PageStart[] | null;
  /** The type of the JSON artifact whose `pages` are those of this text, because the metadata has no room for them. */
  readonly pagesIn: string | null;
}

/** A text of more pages has none recorded: they would take more room than many a text. */
export const mostPages = 100_000;

/** Reads the metadata of a `text` artifact of any plugin. What it does not say, or says wrongly, is left out. */
export function readTextLayout(metadata: unknown): TextLayout {
  const { text_format, pages, pages_in } = Object(metadata) as Record<string, unknown>;
  return {
    isMarkdown: text_format === 'markdown',
    pages: readPages(pages),
    pagesIn: typeof pages_in === 'string' ? pages_in : null,
  };
}

/** Reads a list of pages and puts it in order; null when there is no page in it, or more than `mostPages`. */
export function readPages(value: unknown): readonly PageStart[] | null {
  if (!Array.isArray(value) || value.length > mostPages) return null;
  const pages: PageStart[] = value.filter(isPageStart).map(({ number, start }) => ({ number, start }));
  return pages.length === 0 ? null : pages.sort((a, b) => a.start - b.start);
}

/**
 * The number of the page that the code point at `offset` is on: of the pages that begin at or before it, the last one. Text
 * before the first page counts as part of it. Null without pages.
 */
export function pageAt(pages: readonly PageStart[] | null, offset: number): number | null {
  if (pages === null) return null;
  let low = 0;
  let high = pages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pages[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pages[low]?.number ?? null;
}

function isPageStart(value: unknown): value is PageStart {
  const { number, start } = Object(value) as Partial<PageStart>;
  return isCount(number) && number >= 1 && isCount(start);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
