import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { useVectors } from '../../../../api/vectors.js';
import { vectorsOf, type LinkedVectors } from './linked.js';
import { largestUnasked } from '../shown-artifact.js';

/** Returns the vectors of chunks. Counts them if their plugin does not report a count. */
export function useLinkedVectors(resource: Resource, chunks: Artifact): LinkedVectors | null {
  const vectors = vectorsOf(resource, chunks);
  const isUntold = vectors !== null && (vectors.count === null || vectors.dimensions === null);
  const { rows, count, isComplete } = useVectors(
    resource.id,
    vectors?.artifact ?? chunks,
    isUntold && vectors.artifact.size_bytes <= largestUnasked,
  );
  if (vectors === null || !isUntold || !isComplete) return vectors;
  return { ...vectors, count, dimensions: rows[0]?.length ?? null };
}
