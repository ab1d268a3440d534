/** A page, slide, sheet or chapter of a text. */
export interface PageStart {
  /** From 1, as readers count. */
  readonly number: number;
  /**
   * The start in Unicode code points from the beginning of the text. For a page without text: where it would
   * start.
   */
  readonly start: number;
}

/** The layout of a text, from the metadata of its `text` artifact. */
export interface TextLayout {
  /** Whether lines such as `## Setup` are headings. */
  readonly isMarkdown: boolean;
  /** Ordered by `start`. Null if the format has no pages or they are in the artifact `pagesIn`. */
  readonly pages: readonly PageStart[] | null;
  /**
   * The type of the JSON artifact that holds the `pages` of this text if they do not fit into the metadata.
   */
  readonly pagesIn: string | null;
}

/** Pages of longer texts are not recorded: they would take more space than many a text. */
export const mostPages = 100_000;

/** Reads the metadata of a `text` artifact from any plugin. Missing or invalid parts are left out. */
export function readTextLayout(metadata: unknown): TextLayout {
  const { text_format, pages, pages_in } = Object(metadata) as Record<string, unknown>;
  return {
    isMarkdown: text_format === 'markdown',
    pages: readPages(pages),
    pagesIn: typeof pages_in === 'string' ? pages_in : null,
  };
}

/** Reads and sorts a list of pages. Null if it has no page or more than `mostPages`. */
export function readPages(value: unknown): readonly PageStart[] | null {
  if (!Array.isArray(value) || value.length > mostPages) return null;
  const pages: PageStart[] = value.filter(isPageStart).map(({ number, start }) => ({ number, start }));
  return pages.length === 0 ? null : pages.sort((a, b) => a.start - b.start);
}

/**
 * The page number at code point `offset`: the last page that begins at or before it. Text before the first
 * page counts as part of it. Null without pages.
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
