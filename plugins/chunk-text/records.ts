import { chunksOf } from './chunks.js';
import type { ChunkTextConfig } from './config.js';
import { countCodePoints, tokenCounter } from './measures.js';

/** An entry of the `chunks` artifact. */
export interface ChunkRecord {
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Left out when the unit is characters. */
  readonly tokens?: number;
}

/** The chunks of a text, in their order. */
export async function* chunkRecords(
  text: string,
  { unit, encoding, size, overlap }: ChunkTextConfig,
): AsyncGenerator<ChunkRecord> {
  const measure = unit === 'tokens' ? await tokenCounter(encoding) : countCodePoints;
  for (const { units, ...chunk } of chunksOf(text, { size, overlap }, measure))
    yield unit === 'tokens' ? { ...chunk, tokens: units } : chunk;
}
