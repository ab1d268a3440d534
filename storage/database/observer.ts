import type { Knex } from 'knex';
import type { AttemptOutcome, FinalStatus } from '../../core/states.js';

/** Notified after commit of what this pool's transactions settled. */
export interface Observer {
  /** `seconds`: from the run's beginning to its end. */
  runEnded(run: { readonly status: FinalStatus; readonly seconds: number }): void;
  /** `seconds`: from the claim to the outcome; 0 for an attempt that was never claimed. */
  attemptSettled(attempt: {
    readonly pluginId: string;
    readonly outcome: AttemptOutcome;
    readonly seconds: number;
  }): void;
}

/** A transaction as knex hands it out; one inside another names it. */
interface Transaction {
  readonly executionPromise?: Promise<unknown>;
  readonly parentTransaction?: Transaction;
}

/**
 * Tells the observer that the pool was opened with, once the outermost transaction is committed; a rollback is not
 * told of.
 */
export function afterCommit(trx: Knex, tell: (observer: Observer) => void): void {
  const { config } = trx.client as { readonly config: { readonly observer?: Observer } };
  const { observer } = config;
  if (observer === undefined) return;
  let outermost = trx as Transaction;
  while (outermost.parentTransaction !== undefined) outermost = outermost.parentTransaction;
  void outermost.executionPromise?.then(
    () => tell(observer),
    () => undefined,
  );
}
