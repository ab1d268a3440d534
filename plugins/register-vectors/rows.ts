import type { Readable } from 'node:stream';
import type { Chunk } from '../../core/documents/chunks.js';
import type { PluginContext } from '@knowledge-warehouse/plugin';
import { invalidInput } from '../failures.js';
import type { BatchLimits, VectorRow } from './store.js';

/** Characters of a vector's JSON: 65,536 numbers of 32 characters. */
const longestVector = 2 * 1024 * 1024;

function parseVector(text: string): readonly number[] {
  try {
    const vector: unknown = JSON.parse(text);
    if (Array.isArray(vector) && vector.every(Number.isFinite)) return vector as number[];
  } catch {
    // Reported below.
  }
  throw invalidInput('The artifact "embeddings" does not consist of arrays of numbers.');
}

/**
 * Yields the vectors of a vector artifact one by one, so that only one is in memory: the rows of an array of arrays, or
 * an array of numbers as the only one. Throws a non-retryable INVALID_INPUT failure if one of them is not a vector or is
 * too long.
 */
export async function* vectorsIn(content: Readable): AsyncGenerator<readonly number[]> {
  let rest = '';
  let isOpen = false;
  for await (const part of content.setEncoding('utf8') as AsyncIterable<string>) {
    rest += part;
    if (!isOpen && rest.trimStart() !== '') {
      rest = rest.trimStart().slice(1);
      isOpen = true;
    }
    for (let end = rest.indexOf(']'); end >= 0; end = rest.indexOf(']')) {
      const row = rest.slice(0, end).replace(/^[\s,]+/, '');
      rest = rest.slice(end + 1);
      if (row !== '') yield parseVector(row.startsWith('[') ? `${row}]` : `[${row}]`);
    }
    if (rest.length > longestVector)
      throw invalidInput(`A vector of the artifact "embeddings" has more than ${longestVector} characters.`);
  }
}

/**
 * Returns the number of vectors and their length. Throws a non-retryable INVALID_INPUT failure if a vector is empty or the
 * lengths differ.
 */
export async function measureVectors(content: Readable): Promise<{ count: number; dimensions: number }> {
  let count = 0;
  let dimensions = 0;
  for await (const vector of vectorsIn(content)) {
    if (count++ === 0) dimensions = vector.length;
    if (vector.length !== dimensions || dimensions === 0)
      throw invalidInput('The vectors of the artifact "embeddings" are empty or differ in length.');
  }
  return { count, dimensions };
}

type Origin = Pick<PluginContext<unknown>, 'resource' | 'run'>;

/** Combines each vector with its chunk and yields batches within the limits, with at least one row each. */
export async function* batchesOf(
  chunks: readonly Chunk[],
  vectors: AsyncIterable<readonly number[]>,
  { resource, run }: Origin,
  limits: BatchLimits,
): AsyncGenerator<readonly VectorRow[]> {
  let batch: VectorRow[] = [];
  let bytes = 0;
  let index = 0;
  for await (const vector of vectors) {
    const { text = '', start = null, end = null } = chunks[index] ?? {};
    const size = vector.length * 8 + Buffer.byteLength(text);
    if (batch.length > 0 && (batch.length >= limits.rows || bytes + size > limits.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    bytes += size;
    batch.push({
      id: `${resource.id}:${run}:${index}`,
      vector,
      text,
      resource_id: resource.id,
      resource_name: resource.name,
      resource_type: resource.type,
      chunk_index: index,
      start,
      end,
      run,
    });
    index++;
  }
  if (batch.length > 0) yield batch;
}
