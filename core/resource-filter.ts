import type { ResourceStatus, SourceType } from './states.js';

/** A value that a condition on metadata compares with. */
export type MetadataScalar = string | number | boolean | null;

/**
 * A bound of a range. Stored numbers are compared with `number`, stored strings with `text`; a kind of value that has no
 * bound here is outside the range.
 */
export interface MetadataBound {
  readonly number?: number;
  /** Compared code point by code point. */
  readonly text?: string;
}

/** A condition on the value of one key: it is any of `anyOf`, or an array that holds one, and lies within the bounds. */
export interface MetadataCondition {
  readonly key: string;
  readonly anyOf?: readonly MetadataScalar[];
  readonly gte?: MetadataBound;
  readonly lte?: MetadataBound;
}

/**
 * Which resources are meant. Every property must hold; of several values of one property, any may. Plain JSON, so that it
 * can be kept in a table and passed to a workflow; instants are ISO 8601 in UTC.
 */
export interface ResourceFilter {
  /** Every resource, said on purpose. It narrows nothing. */
  readonly all?: true;
  /** Part of the name, in any case; `%` and `_` mean themselves. */
  readonly q?: string;
  readonly type?: readonly string[];
  readonly status?: readonly ResourceStatus[];
  readonly source_type?: readonly SourceType[];
  readonly is_enabled?: readonly boolean[];
  readonly connector_id?: readonly string[];
  /** In hex, lower case. */
  readonly sha256?: readonly string[];
  readonly metadata?: readonly MetadataCondition[];
  /** Of the current run, when it is FAILED. */
  readonly error_code?: readonly string[];
  /** The plugin of the step that the current run FAILED at. */
  readonly failed_plugin?: readonly string[];
  /** Whether it is PROCESSING and its current step has waited for more than `longWaitSeconds`. */
  readonly waiting?: boolean;
  /** Inclusive. */
  readonly created_after?: string;
  /** Exclusive. */
  readonly created_before?: string;
  /** Inclusive. */
  readonly updated_after?: string;
  /** Exclusive. */
  readonly updated_before?: string;
}

/** The seconds from which on a wait for a worker, a callback or a retry counts as `waiting`. */
export const longWaitSeconds = 10;
