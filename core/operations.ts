import { isId, isObject } from './runs/run-input.js';

export const operationActions = [
  'reprocess',
  'cancel',
  'delete',
  'enable',
  'disable',
  'set_metadata',
] as const;
export type OperationAction = (typeof operationActions)[number];

export const operationStatuses = ['RUNNING', 'COMPLETED', 'CANCELLED'] as const;
export type OperationStatus = (typeof operationStatuses)[number];

/** The maximum number of resource ids in one request. */
export const mostOperationIds = 1_000;

/** Days for which ended operations are kept. */
export const operationRetentionDays = 30;

/** Error code → number of resources. */
export type CodeCounts = Readonly<Record<string, number>>;

/** The progress of an operation: of the `matched` resources, how many were done, skipped or failed. */
export interface OperationProgress {
  readonly status: OperationStatus;
  readonly matched: number;
  readonly done: number;
  /** Resources that were skipped because their state does not allow the action. */
  readonly skipped: CodeCounts;
  /** Resources for which the action failed. */
  readonly failed: CodeCounts;
}

/** The input of the workflow `runOperation`. */
export interface RunOperationInput {
  readonly operationId: string;
  /** Every resource up to this id was handled. Omitted: start with the first. */
  readonly after?: string;
}

/** What the activity `carryOutItems` returns. */
export interface ItemsCarriedOut extends OperationProgress {
  readonly action: OperationAction;
  /** Where to continue; null: at the first resource. */
  readonly after: string | null;
}

/** The id of the workflow that executes an operation. */
export const operationWorkflowId = (operationId: string): string => `operation-${operationId}`;

/** Whether a value is the input of the workflow `runOperation`. */
export function isRunOperationInput(value: unknown): value is RunOperationInput {
  if (!isObject(value) || !isId(value['operationId'])) return false;
  return value['after'] === undefined || isId(value['after']);
}

/** The total number of resources in counts by code. */
export const sumOf = (counts: CodeCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
