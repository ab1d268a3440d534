import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { useVectors } from '../../../../api/vectors.js';
import { largestAutoLoaded } from '../shown-artifact.js';

/** Vectors whose row i belongs to chunk i. */
export interface LinkedVectors {
  readonly artifact: Artifact;
  /** The number of rows; null: its plugin did not report it. */
  readonly count: number | null;
  readonly dimensions: number | null;
  readonly model: string | null;
  /** An older run created them, so their chunks may be gone. */
  readonly isOutdated: boolean;
}

const find = (
  resource: Resource,
  type: string,
  contentType: Artifact['content_type'],
): Artifact | undefined =>
  resource.artifacts.findLast((each) => each.type === type && each.content_type === contentType);

/** Returns the chunks that the rows of a vector artifact belong to; null if they belong to no chunks. */
export function chunksOf(resource: Resource, vectors: Artifact): Artifact | null {
  return vectors.type === 'embeddings' ? (find(resource, 'chunks', 'json') ?? null) : null;
}

/** Returns the vectors of the chunks of a resource, or null. */
export function vectorsOf(resource: Resource, chunks: Artifact): LinkedVectors | null {
  const artifact = chunks.type === 'chunks' ? find(resource, 'embeddings', 'vector') : undefined;
  if (artifact === undefined) return null;
  const { count, dimensions, model } = artifact.metadata as Record<string, unknown>;
  return {
    artifact,
    count: typeof count === 'number' ? count : null,
    dimensions: typeof dimensions === 'number' ? dimensions : null,
    model: typeof model === 'string' ? model : null,
    isOutdated: artifact.run < chunks.run,
  };
}

/** Returns the vectors of chunks. Counts them if their plugin does not report a count. */
export function useLinkedVectors(resource: Resource, chunks: Artifact): LinkedVectors | null {
  const vectors = vectorsOf(resource, chunks);
  const isUntold = vectors !== null && (vectors.count === null || vectors.dimensions === null);
  const { rows, count, isComplete } = useVectors(
    resource.id,
    vectors?.artifact ?? chunks,
    isUntold && vectors.artifact.size_bytes <= largestAutoLoaded,
  );
  if (vectors === null || !isUntold || !isComplete) return vectors;
  return { ...vectors, count, dimensions: rows[0]?.length ?? null };
}
