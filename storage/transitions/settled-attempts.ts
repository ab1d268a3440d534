import type { AttemptOutcome } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { afterCommit } from '../database/observer.js';

/** An attempt that was just settled. */
export interface SettledRow {
  readonly plugin_id: string;
  readonly outcome: AttemptOutcome;
  readonly seconds: number;
}

/** Notifies the observer of settled attempts after the commit. */
export function notifyAttemptsSettled(trx: Db, rows: readonly SettledRow[]): void {
  for (const { plugin_id: pluginId, outcome, seconds } of rows)
    afterCommit(trx, (observer) => observer.attemptSettled({ pluginId, outcome, seconds }));
}
