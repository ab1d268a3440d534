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

/** An attempt that was just settled. */
export interface SettledRow {
  readonly plugin_id: string;
  readonly outcome: AttemptOutcome;
  readonly seconds: number;
}

/** Notifies the observer of settled attempts after the commit. */
export function notifyAttemptsSettled(trx: Knex, rows: readonly SettledRow[]): void {
  for (const { plugin_id: pluginId, outcome, seconds } of rows)
    afterCommit(trx, (observer) => observer.attemptSettled({ pluginId, outcome, seconds }));
}
