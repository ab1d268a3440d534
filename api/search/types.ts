import type { Chunk } from '../../core/documents/chunks.js';
import type { CodePointRange } from '../../core/documents/code-points.js';
import type { ResourceFilter } from '../../core/resources/resource-filter.js';
import type { FoundResource } from '../../storage/search/hits.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

export const fallbackReasons = ['NO_EMBEDDER', 'NO_VECTORS', 'EMBEDDER_UNAVAILABLE'] as const;
export type FallbackReason = (typeof fallbackReasons)[number];

/** Filters that a search supports: it finds only enabled resources with a COMPLETED run. */
export type SearchFilter = Omit<ResourceFilter, 'q' | 'status' | 'waiting'>;

/** A validated search. Omitted fields have their defaults. */
export interface SearchRequest {
  /** 1 to 1,000 code points: words, "phrases" and -exclusions. */
  readonly q: string;
  /** Default: `text`. */
  readonly mode?: SearchMode;
  /** 1 to 50; default 10. */
  readonly limit?: number;
  /** Maximum hits per resource: 1 to 50; default 3. */
  readonly per_resource?: number;
  /** Neighbouring chunks on each side: 0 to 5; default 0. */
  readonly context?: number;
  /** The caller checks the scope. */
  readonly include_disabled?: boolean;
  /** Only these resources. */
  readonly resource_id?: readonly string[];
  readonly filter?: SearchFilter;
}

/** The place of a chunk in its resource. */
export type ChunkPlace = Omit<Chunk, 'text'>;

/** A chunk next to a hit. */
export interface Neighbour {
  readonly chunk: ChunkPlace;
  readonly text: string;
}

export interface SearchHit {
  readonly resource: Omit<FoundResource, 'run' | 'artifact_id'>;
  /** The run that made the chunk. */
  readonly run: number;
  /** The artifact that the chunk was read from. */
  readonly artifact_id: string;
  readonly chunk: ChunkPlace;
  readonly text: string;
  readonly highlights: readonly CodePointRange[];
  readonly before: readonly Neighbour[];
  readonly after: readonly Neighbour[];
  readonly score: number;
  readonly url: string;
}

export interface SearchAnswer {
  /** The mode actually used: it differs from the requested one after a fallback. */
  readonly mode: SearchMode;
  readonly fallback: { readonly from: 'hybrid'; readonly reason: FallbackReason } | null;
  readonly items: readonly SearchHit[];
}
