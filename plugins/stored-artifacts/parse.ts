import { readChunks, type Chunk } from '../../core/documents/chunks.js';
import { isComparable } from '../../core/documents/vectors.js';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';

export interface ReadRequest {
  readonly what: 'chunks' | 'vectors';
}

/** Concatenated vectors of chunks in base64: 32-bit floats in the machine's byte order. */
export interface VectorRows {
  readonly dimensions: number;
  readonly rows: string;
}

/** Limits for the index: chunks of a resource, and UTF-16 code units of a chunk. */
export const mostChunks = 100_000;
export const longestChunk = 256 * 1024;
export const mostDimensions = 8_192;

export function invalidChunks(message: string): PluginFailure {
  return new PluginFailure('INVALID_CHUNKS', message, { retryable: false });
}

/** The chunks of an artifact `chunks`. Throws INVALID_CHUNKS if there are none, too many, or one that is too long. */
export function toChunks(content: unknown): readonly Chunk[] {
  const { chunks: values } = Object(content) as Record<string, unknown>;
  if (Array.isArray(values) && values.length > mostChunks)
    throw invalidChunks(`The artifact holds ${values.length} chunks; at most ${mostChunks} are indexed.`);
  const chunks = readChunks(content);
  if (chunks === null) throw invalidChunks('The artifact does not contain {"chunks": [{"text": …}, …]}.');
  const long = chunks.find(({ text }) => text.length > longestChunk);
  if (long !== undefined)
    throw invalidChunks(`Chunk ${long.index} has more than ${longestChunk} characters.`);
  return chunks;
}

/** Yields the rows of the content of an artifact `embeddings`, `together` in each part. */
export function* toRows(content: unknown, together: number): Generator<VectorRows> {
  const rows: readonly unknown[] = Array.isArray(content) ? content : [];
  const dimensions = Array.isArray(rows[0]) ? rows[0].length : 0;
  if (rows.length > 0 && (dimensions === 0 || dimensions > mostDimensions))
    throw invalidChunks(`Vectors must have 1 to ${mostDimensions} numbers.`);
  for (let from = 0; from < rows.length; from += together) {
    const part = rows.slice(from, from + together);
    const block = new Float32Array(part.length * dimensions);
    for (const [index, row] of part.entries()) {
      if (!isComparable(row) || row.length !== dimensions)
        throw invalidChunks(
          `Vector ${from + index} cannot be compared: it must consist of ${dimensions} 32-bit floats, not all zero.`,
        );
      block.set(row, index * dimensions);
    }
    yield { dimensions, rows: Buffer.from(block.buffer).toString('base64') };
  }
}
