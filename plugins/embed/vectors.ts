import { PluginFailure } from '@knowledge-warehouse/plugin';
import { isComparable } from '../../core/documents/vectors.js';

export type Vector = readonly number[];

function invalid(message: string): PluginFailure {
  return new PluginFailure('EMBEDDING_INVALID', message, { retryable: false });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Returns the vectors of a response, one for each of `count` texts, in the order of the texts. Throws a non-retryable
 * EMBEDDING_INVALID failure unless there is exactly one comparable vector for each text.
 */
export function vectorsOf(body: string, count: number): readonly Vector[] {
  const answer = parse(body) as { readonly data?: unknown } | null;
  if (!Array.isArray(answer?.data)) throw invalid('The response of the embedding endpoint has no "data".');
  const data = answer.data as readonly ({ readonly index?: unknown; readonly embedding?: unknown } | null)[];
  if (data.length !== count)
    throw invalid(`The embedding endpoint returned ${data.length} vectors for ${count} texts.`);
  const vectors = new Map<unknown, Vector>();
  for (const [position, item] of data.entries()) {
    if (!isComparable(item?.embedding))
      throw invalid(
        `Vector ${position} of the embedding endpoint cannot be compared: it must consist of 32-bit floats, not all zero.`,
      );
    // Servers that omit zeros from JSON omit the first index.
    vectors.set(item.index ?? position, item.embedding);
  }
  return data.map((_, index) => {
    const vector = vectors.get(index);
    if (vector === undefined) throw invalid(`The embedding endpoint sent no vector for text ${index}.`);
    return vector;
  });
}

/** Checks that a vector is as long as the previous ones. Throws a non-retryable EMBEDDING_INVALID failure. */
export function assertDimensions(vector: Vector, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw invalid(`The embedding endpoint sent a vector of ${vector.length} numbers instead of ${dimensions}.`);
}
