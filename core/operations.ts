import { isId, isObject } from './run-input.js';

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

/** How many resources a request may name by their ids. */
export const mostOperationIds = 1_000;

/** How long operations are kept after they ended. */
export const operationRetentionDays = 30;

/** Error code → how many resources. */
export type CodeCounts = Readonly<Record<string, number>>;

/** How far an operation is: `matched` resources, of which these were done, skipped or failed. */
export interface OperationProgress {
  readonly status: OperationStatus;
  readonly matched: number;
  readonly done: number;
  /** Resources that the rules of their state left out. */
  readonly skipped: CodeCounts;
  /** Resources for which the action was tried in vain. */
  readonly failed: CodeCounts;
}

/** The input of the workflow `runOperation`. */
export interface RunOperationInput {
  readonly operationId: string;
  /** Every resource up to this id was handled; left out: begin with the first. */
  readonly after?: string;
}

/** What the activity `carryOutItems` returns. */
export interface ItemsCarriedOut extends OperationProgress {
  readonly action: OperationAction;
  /** Where to go on; null: at the first resource. */
  readonly after: string | null;
}

/** The id of the workflow that carries out an operation. */
export const operationWorkflowId = (operationId: string): string => `operation-${operationId}`;

/** Whether a value is the input of the workflow `runOperation`. */
export function isRunOperationInput(value: unknown): value is RunOperationInput {
  if (!isObject(value) || !isId(value['operationId'])) return false;
  return value['after'] === undefined || isId(value['after']);
}

/** The number of resources in counts by code. */
export const sumOf = (counts: CodeCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
