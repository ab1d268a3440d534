import { firstCodePoints } from './code-points.js';

/** A chunk of an artifact `chunks`, as search and later steps read it, whichever plugin made it. */
export interface Chunk {
  /** Its place in the list, from 0: row `index` of `embeddings` is its vector. */
  readonly index: number;
  readonly text: string;
  /** Where it begins and ends in the artifact `text`, in Unicode code points, or both null; `end` is behind its last one. */
  readonly start: number | null;
  readonly end: number | null;
  /** The numbers of the pages it begins and ends on; both null without pages. */
  readonly page_start: number | null;
  readonly page_end: number | null;
  /** The path of headings above it, the outermost first. */
  readonly headings: readonly string[];
}

/** Headings of a path, counted from the outermost, and Unicode code points of a heading. What is beyond is left out. */
export const headingLimits = { mostHeadings: 10, mostCodePoints: 200 } as const;

/** The largest page number that is kept: one that fits into 32 bits. */
const largestPage = 2 ** 31 - 1;

/**
 * Reads the chunk at the place `index` of an artifact `chunks`. Only `text` is required: of the other fields, what is missing or
 * makes no sense is null, and headings that are no strings are left out. Returns null for what is no chunk.
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

/** The chunks of the content of an artifact `chunks`, in their order; null when it does not hold `{"chunks": [{"text": …}, …]}`. */
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

/** Two integers in order, within bounds; otherwise null twice. */
function rangeOf(from: unknown, to: unknown, least: number, most: number): [number, number] | [null, null] {
  const isRange =
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    (from as number) >= least &&
    (from as number) <= (to as number) &&
    (to as number) <= most;
  return isRange ? [from as number, to as number] : [null, null];
}
