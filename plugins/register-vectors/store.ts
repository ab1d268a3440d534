import { PluginFailure, type PluginFetch, type PluginLog } from '@knowledge-warehouse/plugin';

/** What is kept of a chunk. */
export interface VectorRow {
  /** `<resource id>:<chunk index>` */
  readonly id: string;
  readonly vector: readonly number[];
  readonly text: string;
  readonly resource_id: string;
  readonly resource_name: string;
  readonly resource_type: string;
  readonly chunk_index: number;
  /** In Unicode code points of the resource's text; null where the chunk does not say. */
  readonly start: number | null;
  readonly end: number | null;
  /** The run of the resource that wrote the row. */
  readonly run: number;
}

/** What one call of `upsert` may carry. */
export interface BatchLimits {
  readonly rows: number;
  /** Of texts and of vectors, these counted as 8 bytes a number. */
  readonly bytes: number;
}

/**
 * A collection of rows in a vector store. All methods throw PluginFailures: VECTOR_STORE_UNAVAILABLE, to be retried;
 * VECTOR_STORE_REJECTED, VECTOR_DIMENSIONS_DIFFER and URL_NOT_ALLOWED, not to be; or the reason of the signal.
 */
export interface VectorStore {
  /** Makes the collection unless it is there, and says how much at once may be upserted. */
  prepare(dimensions: number): Promise<BatchLimits>;
  /** Writes rows, in place of those with the same ids. After `prepare`. */
  upsert(rows: readonly VectorRow[]): Promise<void>;
  /** Deletes what this run of a resource and earlier ones wrote. No collection is no row. */
  deleteRuns(resourceId: string, upToRun: number): Promise<void>;
  close(): void;
}

/** What a store needs of the attempt it works for. */
export interface StoreHost {
  readonly fetch: PluginFetch;
  readonly signal: AbortSignal;
  readonly log: PluginLog;
}

export function unavailable(why: string, retryAfterSeconds: number | null = null): PluginFailure {
  return new PluginFailure('VECTOR_STORE_UNAVAILABLE', why, {
    retryable: true,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  });
}

export function dimensionsDiffer(collection: string, kept: number, given: number): PluginFailure {
  return new PluginFailure(
    'VECTOR_DIMENSIONS_DIFFER',
    `The collection ${collection} holds vectors of ${kept} numbers, but these have ${given}. ` +
      'Use another collection for vectors of another model.',
    { retryable: false, details: { collection: kept, vectors: given } },
  );
}
