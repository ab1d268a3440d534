import { PluginFailure, type PluginFetch, type PluginLog } from '@knowledge-warehouse/plugin';

export interface VectorRow {
  /** `<resource id>:<run>:<chunk index>`, so that a late write of an earlier run cannot replace a newer row. */
  readonly id: string;
  readonly vector: readonly number[];
  readonly text: string;
  readonly resource_id: string;
  readonly resource_name: string;
  readonly resource_type: string;
  readonly chunk_index: number;
  /** In Unicode code points of the resource's text; null if the chunk has no positions. */
  readonly start: number | null;
  readonly end: number | null;
  readonly run: number;
}

/** Limits for one call of `upsert`. */
export interface BatchLimits {
  readonly rows: number;
  /** Of texts and vectors together, with 8 bytes per number. */
  readonly bytes: number;
}

/**
 * A collection of rows in a vector store. All methods throw PluginFailures: a retryable VECTOR_STORE_UNAVAILABLE, or a
 * non-retryable VECTOR_STORE_REJECTED, VECTOR_DIMENSIONS_DIFFER or URL_NOT_ALLOWED; or the signal's reason.
 */
export interface VectorStore {
  /** Creates the collection unless it exists, and returns the limits for `upsert`. */
  prepare(dimensions: number): Promise<BatchLimits>;
  /** Writes rows, replacing those with the same ids. Call `prepare` first. */
  upsert(rows: readonly VectorRow[]): Promise<void>;
  /** Deletes rows written by this run of a resource and by earlier ones. Does nothing if the collection is missing. */
  deleteRuns(resourceId: string, upToRun: number): Promise<void>;
  close(): void;
}

/** The services that a store uses from the current attempt. */
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
      'Use another collection for vectors of another model. Existing rows stay in this one.',
    { retryable: false, details: { collection: kept, vectors: given } },
  );
}
