import type { Chunk } from '../../core/chunks.js';

/** Which chunk of which run of which resource. */
export interface ChunkKey {
  readonly resource_id: string;
  readonly run: number;
  readonly index: number;
}

/** A chunk that an index holds. */
export type IndexedChunk = ChunkKey & Chunk;

/** A chunk that matched, and how well: higher is better. */
export interface Ranked extends ChunkKey {
  readonly score: number;
  /** The chunk itself, where it came along; else it is read by its place. */
  readonly chunk?: IndexedChunk;
}

/** Neighbouring chunks: from `first` to `last`, both included. */
export interface ChunkSpan extends Omit<ChunkKey, 'index'> {
  readonly first: number;
  readonly last: number;
}

export interface RankOptions {
  readonly limit: number;
  /** Only of these resources. */
  readonly resourceIds: readonly string[] | null;
}

/** Vectors of one length and one model. */
export interface VectorSpace {
  readonly dimensions: number;
  readonly model: string;
}

/** Identifies the index and the state of it to read. */
export interface IndexState {
  readonly id: number;
  /** At least this version of it. */
  readonly version: number;
  /** Later writes are not in the full text index yet. */
  readonly indexed_writes: number;
}

/** Reads an index, as it is at least since a version. Everything throws SEARCH_UNAVAILABLE where it is missing or broken. */
export interface IndexReader {
  /** Chunks with any of the terms, by BM25. */
  rankTerms(terms: readonly string[], options: RankOptions): Promise<readonly Ranked[]>;
  /** Chunks with these words one after the other; of what is not in the full text index yet, all that have the words. */
  rankPhrase(words: readonly string[], options: RankOptions): Promise<readonly Ranked[]>;
  /** Chunks whose vectors are nearest to one. */
  rankVectors(
    vector: readonly number[],
    space: VectorSpace,
    options: RankOptions,
  ): Promise<readonly Ranked[]>;
  /** Chunks by their places; those that are not there are left out. */
  readChunks(spans: readonly ChunkSpan[]): Promise<readonly IndexedChunk[]>;
}

/** What searches read. */
export interface SearchEngine {
  open(state: IndexState): Promise<IndexReader>;
  close(): void;
}

/** A chunk to be indexed. */
export interface NewChunk extends IndexedChunk {
  readonly vector: { readonly model: string; readonly values: Float32Array } | null;
}

/** Writes indexes; one process at a time does. */
export interface IndexWriter {
  /** Makes the tables of an index that was never written to, unless they are there. */
  prepare(id: number): Promise<void>;
  /** Adds chunks. `write` is the number of this write, which no other one has. */
  add(id: number, write: number, chunks: readonly NewChunk[]): Promise<void>;
  /** Removes what was written of these resources before a write of each; null: all. */
  removeOlder(
    id: number,
    resources: readonly { readonly resource_id: string; readonly write: number | null }[],
  ): Promise<void>;
  /** Removes what one write added of these resources. */
  removeWrite(id: number, write: number, resourceIds: readonly string[]): Promise<void>;
  /** How many chunks the full text index does not hold yet. */
  countUnindexed(id: number): Promise<number>;
  /**
   * Updates the indexes and removes old versions of the tables. Where that fails, the full text index is rebuilt from its
   * table. Returns why that was necessary, or null; throws where it fails too.
   */
  optimize(id: number): Promise<unknown>;
  /** Removes the tables of an index. */
  drop(id: number): Promise<void>;
  close(): void;
}
