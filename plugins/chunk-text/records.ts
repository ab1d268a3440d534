import type { Chunk } from '../../core/documents/chunks.js';
import { countCodePoints } from '../../core/documents/code-points.js';
import { pageAt, type PageStart } from '../../core/documents/text-layout.js';
import { chunksOf } from './chunks.js';
import type { ChunkTextConfig } from './config.js';
import { tokenCounter } from './measures.js';

/** An entry of the `chunks` artifact. */
export interface ChunkRecord extends Chunk {
  readonly start: number;
  readonly end: number;
  /** Omitted if the unit is characters. */
  readonly tokens?: number;
}

/** What is known about a text besides its characters. */
export interface Layout {
  readonly isMarkdown: boolean;
  readonly pages: readonly PageStart[] | null;
}

export async function* chunkRecords(
  text: string,
  { unit, encoding, size, overlap }: ChunkTextConfig,
  { isMarkdown, pages }: Layout,
): AsyncGenerator<ChunkRecord> {
  const measure = unit === 'tokens' ? await tokenCounter(encoding) : countCodePoints;
  for (const chunk of chunksOf(text, { size, overlap, isMarkdown }, measure)) {
    const { index, start, end, units, headings } = chunk;
    yield {
      index,
      text: chunk.text,
      start,
      end,
      page_start: pageAt(pages, start),
      page_end: pageAt(pages, end - 1),
      headings,
      ...(unit === 'tokens' && { tokens: units }),
    };
  }
}
