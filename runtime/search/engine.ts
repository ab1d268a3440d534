import type { Chunk } from '../../core/documents/chunks.js';
import type { VectorKind } from '../../core/documents/vectors.js';
import type { Phrase } from './query.js';

export interface ChunkKey {
  readonly resource_id: string;
  readonly run: number;
  readonly index: number;
}

export type IndexedChunk = ChunkKey & Chunk;

/** A matching chunk with its score; higher is better. */
export interface Ranked extends ChunkKey {
  readonly score: number;
  /** Whether it has the exact word of a query of one word, and so precedes the related forms. */
  readonly isExact?: true;
  /** The chunk itself, if it was returned with the match; otherwise it is read by its key. */
  readonly chunk?: IndexedChunk;
}

/** Consecutive chunks from `first` to `last`, inclusive. */
export interface ChunkSpan extends Omit<ChunkKey, 'index'> {
  readonly first: number;
  readonly last: number;
}

export interface RankOptions {
  readonly limit: number;
  /** Restricts the search to these resources. */
  readonly resourceIds: readonly string[] | null;
  /** Leaves out these resources. */
  readonly exceptIds?: readonly string[];
}

/** Identifies an index and the minimum state of it to read. */
export interface IndexState {
  readonly id: number;
  readonly version: number;
  /** Writes after this one are not in the full text index yet. */
  readonly indexed_writes: number;
}

/** Reads an index at a given version or later. Each method throws SEARCH_UNAVAILABLE if it is missing or broken. */
export interface IndexReader {
  /** Chunks that contain any of the terms, ranked by BM25. */
  rankTerms(terms: readonly string[], options: RankOptions): Promise<readonly Ranked[]>;
  /**
   * Chunks that may contain a phrase: those with a term of each of its groups, if it has any. Otherwise those with its
   * parts of six words in sequence and, among chunks that are not in the full text index yet, those with all words.
   */
  rankPhrase(phrase: Phrase, options: RankOptions): Promise<readonly Ranked[]>;
  /** Chunks whose vectors are nearest to the given one. */
  rankVectors(vector: readonly number[], space: VectorKind, options: RankOptions): Promise<readonly Ranked[]>;
  /** Reads chunks by their keys; missing ones are omitted. */
  readChunks(spans: readonly ChunkSpan[]): Promise<readonly IndexedChunk[]>;
}

export interface SearchEngine {
  open(state: IndexState): Promise<IndexReader>;
  close(): void;
}

export interface NewChunk extends IndexedChunk {
  readonly vector: { readonly model: string; readonly values: Float32Array } | null;
}

/** Writes indexes; used by one process at a time. */
export interface IndexWriter {
  /**
   * Creates the tables of an index that nothing was written to, unless they exist. Returns false if they have content: it
   * is of another index, which had this id before the database was restored.
   */
  prepare(id: number): Promise<boolean>;
  /** Adds chunks. `write` is the unique number of this write. */
  add(id: number, write: number, chunks: readonly NewChunk[]): Promise<void>;
  /** Removes the rows of these resources that are older than the given write of each; null removes all. */
  removeOlder(
    id: number,
    resources: readonly { readonly resource_id: string; readonly write: number | null }[],
  ): Promise<void>;
  /** Removes the rows that one write added for these resources. */
  removeWrite(id: number, write: number, resourceIds: readonly string[]): Promise<void>;
  /** The number of chunks that are not in the full text index yet. */
  countUnindexed(id: number): Promise<number>;
  /**
   * Updates the indexes and removes old table versions. If that fails, rebuilds the full text index from its table.
   * Returns the reason for the rebuild, or null; throws if the rebuild fails too.
   */
  optimize(id: number): Promise<unknown>;
  drop(id: number): Promise<void>;
  close(): void;
}
