import type { Origin } from './origin.js';
import type { RunStart } from './runs/run-protocol.js';

/**
 * Messages to Temporal, written in the transaction that decides on them and sent afterwards. START: start a run's
 * workflow; CANCEL: request its cancellation; CLEAN_UP: start the workflow that cleans up after a deleted resource or,
 * with `run`, after a run that removed artifacts; OPERATION: start the workflow of a bulk operation, whose id is in
 * `resource_id`.
 */
export type OutboxKind = 'START' | 'CANCEL' | 'CLEAN_UP' | 'OPERATION';

export interface OutboxMessage {
  readonly id: number;
  readonly kind: OutboxKind;
  readonly resource_id: string;
  readonly run: number | null;
  readonly tries: number;
  /** It was written seconds ago, but was not sent right after its commit. */
  readonly late: boolean;
  /** The request and the trace that caused it. */
  readonly origin: Origin | null;
  /** The input of a START; null for other kinds, and for a run that has ended or whose resource is deleted. */
  readonly start: RunStart | null;
}
