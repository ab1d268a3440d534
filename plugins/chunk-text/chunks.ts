import { HeadingPath } from './heading-path.js';
import type { Measure } from './measures.js';
import { SegmentedText } from './segmented-text.js';

export interface Chunk {
  readonly index: number;
  /** Exactly the text from `start` to `end`. */
  readonly text: string;
  /** In Unicode code points from the beginning of the whole text. */
  readonly start: number;
  /** The position after the last code point. */
  readonly end: number;
  /** The size of the chunk, in the configured units. */
  readonly units: number;
  /** The path of headings above the chunk, outermost first. */
  readonly headings: readonly string[];
}

export interface ChunkSizes {
  /** Maximum units of a chunk; at least 16. A code point has at most 4 units. */
  readonly size: number;
  /** Maximum units that two adjacent chunks share; less than `size`. */
  readonly overlap: number;
  /** Whether the text may have headings; false by default. */
  readonly isMarkdown?: boolean;
}

/**
 * Cuts a text into chunks that cover all of it. For a given ratio of overlap to size, the time is proportional to the
 * text's length. A chunk ends at the best border in its second half and begins at a word if possible. A chunk that
 * begins with a heading does not overlap the section before it.
 */
export function* chunksOf(
  text: string,
  { size, overlap, isMarkdown = false }: ChunkSizes,
  measure: Measure,
): Generator<Chunk> {
  const segments = new SegmentedText(text, size, measure, isMarkdown);
  const path = isMarkdown ? new HeadingPath(text) : null;
  let start = 0;
  let reached = 0;
  for (let index = 0; reached < segments.count;) {
    const { end, units } = segments.fit(start, size, (size + overlap) / 2);
    if (end <= reached) {
      // The overlap is so large that nothing new fits after it.
      start = segments.shared(start, reached, overlap);
      continue;
    }
    yield {
      index: index++,
      text: segments.slice(start, end),
      start: segments.codePoints(start),
      end: segments.codePoints(end),
      units,
      headings: path?.at(segments.offset(start), segments.offset(end)) ?? [],
    };
    reached = end;
    start = segments.endsSection(end) ? end : segments.shared(start, end, overlap);
  }
}
