import type { Knex } from 'knex';
import type { AttemptOutcome, FinalStatus } from '../../core/states.js';

/** Notified after commit of the outcomes that this pool's transactions recorded. */
export interface Observer {
  /** `seconds`: the duration of the run. */
  runEnded(run: { readonly status: FinalStatus; readonly seconds: number }): void;
  /** `seconds`: from the claim to the outcome; 0 for an attempt that was never claimed. */
  attemptSettled(attempt: {
    readonly pluginId: string;
    readonly outcome: AttemptOutcome;
    readonly seconds: number;
  }): void;
}

/** A transaction as knex returns it; a nested one refers to its outer one. */
interface Transaction {
  readonly executionPromise?: Promise<unknown>;
  readonly parentTransaction?: Transaction;
}

/** Calls the pool's observer once the outermost transaction commits; never after a rollback. */
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
