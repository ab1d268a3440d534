import { firstCodePoints } from './code-points.js';

/**
 * A chunk of a `chunks` artifact, as search and later steps read it, regardless of the plugin that made it.
 */
export interface Chunk {
  /** Its position in the list, from 0. Row `index` of `embeddings` is its vector. */
  readonly index: number;
  readonly text: string;
  /**
   * Its range in the `text` artifact, in Unicode code points; `end` is exclusive. Both are null if unknown.
   */
  readonly start: number | null;
  readonly end: number | null;
  /** The first and last page it covers; both null if the text has no pages. */
  readonly page_start: number | null;
  readonly page_end: number | null;
  /** The path of headings above it, outermost first. */
  readonly headings: readonly string[];
}

/**
 * Limits: headings in a path (counted from the outermost) and Unicode code points in a heading. The rest is
 * cut off.
 */
export const headingLimits = { mostHeadings: 10, mostCodePoints: 200 } as const;

/** The largest page number that is kept. It fits into 32 bits. */
const largestPage = 2 ** 31 - 1;

/**
 * Reads the chunk at position `index` of a `chunks` artifact. Only `text` is required. Other fields that are
 * missing or invalid become null, and headings that are not strings are dropped. Returns null if the value is
 * not a chunk.
 */
export function readChunk(value: unknown, index: number): Chunk | null {
  const fields = Object(value) as Record<string, unknown>;
  if (typeof fields['text'] !== 'string') return null;
  const [start, end] = rangeOf(fields['start'], fields['end'], 0, Number.MAX_SAFE_INTEGER);
  const [page_start, page_end] = rangeOf(
    fields['page_start'],
    fields['page_end'] ?? fields['page_start'],
    1,
    largestPage,
  );
  return {
    index,
    text: fields['text'].toWellFormed(),
    start,
    end,
    page_start,
    page_end,
    headings: headingsOf(fields['headings']),
  };
}

/**
 * The chunks in the content of a `chunks` artifact, in order; null unless the content is `{"chunks":
 * [{"text": …}, …]}`.
 */
export function readChunks(content: unknown): readonly Chunk[] | null {
  const { chunks: values } = Object(content) as Record<string, unknown>;
  if (!Array.isArray(values)) return null;
  const chunks: Chunk[] = [];
  for (const value of values) {
    const chunk = readChunk(value, chunks.length);
    if (chunk === null) return null;
    chunks.push(chunk);
  }
  return chunks;
}

function headingsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, headingLimits.mostHeadings)
    .filter((heading) => typeof heading === 'string' && heading.trim() !== '')
    .map((heading: string) => firstCodePoints(heading, headingLimits.mostCodePoints).toWellFormed());
}

/** Two ordered integers within bounds; otherwise two nulls. */
function rangeOf(from: unknown, to: unknown, least: number, most: number): [number, number] | [null, null] {
  const isRange =
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    (from as number) >= least &&
    (from as number) <= (to as number) &&
    (to as number) <= most;
  return isRange ? [from as number, to as number] : [null, null];
}
