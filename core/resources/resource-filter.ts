import type { ResourceStatus, SourceType } from '../states.js';

/** A value that a condition on metadata compares with. */
export type MetadataScalar = string | number | boolean | null;

/**
 * A bound of a range. Stored numbers are compared with `number`, stored strings with `text`. Values of a kind
 * without a bound are outside the range.
 */
export interface MetadataBound {
  readonly number?: number;
  /** Compared code point by code point. */
  readonly text?: string;
}

/**
 * A condition on the value of one key: it equals one of `anyOf`, or is an array that contains one, and lies
 * within the bounds.
 */
export interface MetadataCondition {
  readonly key: string;
  readonly anyOf?: readonly MetadataScalar[];
  readonly gte?: MetadataBound;
  readonly lte?: MetadataBound;
}

/**
 * Selects resources. All properties must match; of several values of one property, any may match. Plain JSON,
 * so that it can be stored in a table and passed to a workflow. Times are ISO 8601 in UTC.
 */
export interface ResourceFilter {
  /** Explicitly selects every resource. It filters nothing. */
  readonly all?: true;
  /** A case-insensitive part of the name; `%` and `_` are literal. */
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
  /** The plugin of the step that the current run FAILED at. Null: it FAILED outside a step. */
  readonly failed_plugin?: readonly string[] | null;
  /** Whether it is PROCESSING and its current step has waited longer than `longWaitSeconds`. */
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

/** A wait for a worker, a callback or a retry counts as `waiting` after this many seconds. */
export const longWaitSeconds = 10;
