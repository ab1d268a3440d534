import { serveTask } from '../sdk/child-task.js';
import { chunksOf } from './chunks.js';
import type { ChunkTextConfig } from './config.js';
import { countCodePoints, tokenCounter } from './measures.js';

/** A chunk as it stands in the artifact. */
export interface ChunkRecord {
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Left out when the unit is characters. */
  readonly tokens?: number;
}

/** Sends a ChunkRecord for each chunk of a text in UTF-8. */
await serveTask(async (request, source, send) => {
  const { unit, encoding, size, overlap } = request as ChunkTextConfig;
  const text = source.read(0, source.sizeBytes).toString('utf8');
  const measure = unit === 'tokens' ? await tokenCounter(encoding) : countCodePoints;
  for (const { units, ...chunk } of chunksOf(text, { size, overlap }, measure)) {
    const record: ChunkRecord = unit === 'tokens' ? { ...chunk, tokens: units } : chunk;
    send(record);
  }
});
