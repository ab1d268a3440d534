import type { AttemptOutcome, StepError } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { toJsonText } from '../database/json-text.js';
import { afterCommit } from '../database/observer.js';
import { prepared } from '../database/prepared.js';
import type { StepState } from '../run-state.js';
import {
  attemptsAllowed,
  fromAttemptRow,
  type Attempt,
  type AttemptRow,
  type SettledBy,
  type Step,
} from '../runs.js';

export interface StepRef {
  readonly resource_id: string;
  readonly run: number;
  readonly index: number;
}

/** What an update of attempts returns of each that it settled. */
const settledColumns = (db: Db): readonly ReturnType<Db['raw']>[] => [
  db.raw(
    `(select s.plugin_id from steps s where s.resource_id = attempts.resource_id and s.run = attempts.run
        and s.index = attempts.step_index) as plugin_id`,
  ),
  db.raw('outcome'),
  db.raw('extract(epoch from settled_at - started_at)::float8 as seconds'),
];

/** An attempt that a statement has settled. */
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

/**
 * Opens an attempt, and has its step be RUNNING with it: PENDING, RUNNING or RETRYING → RUNNING. Returns the attempt, or
 * null when it is there already.
 */
export async function openAttempt(trx: Db, step: Step, number: number): Promise<Attempt | null> {
  const { resource_id: id, run, index } = step;
  const opening = [id, run, index, number, attemptsAllowed(step), step.timeout_seconds];
  const [opened] = await insertAttempt(trx, [...opening, number, id, run, index]);
  return opened === undefined ? null : fromAttemptRow(opened);
}

const insertAttempt = prepared<AttemptRow>(
  'open_attempt',
  `with opened as (
     insert into attempts (resource_id, run, step_index, number, max, deadline)
     values (?, ?, ?, ?, ?, now() + make_interval(secs => ?))
     on conflict (resource_id, run, step_index, number) do nothing
     returning resource_id, run, step_index, number, max, started_at, deadline, outcome, settled_by, settled_at,
       report_hash, error, retryable, retry_after_seconds, silent_at
   ), at_work as (
     update steps set status = 'RUNNING', attempt = ?, started_at = coalesce(started_at, now()), retry_at = null,
       progress = null, waiting_for = null
     where resource_id = ? and run = ? and index = ? and status in ('PENDING', 'RUNNING', 'RETRYING')
   )
   select resource_id, run, step_index, number, max, started_at, deadline, outcome, settled_by, settled_at,
     report_hash, error, retryable, retry_after_seconds, silent_at from opened`,
);

/**
 * Settles an attempt that is open, or of which nobody has told yet, as SUCCESS, and its step with it: PENDING, RUNNING or
 * RETRYING → COMPLETED. Core has seen it succeed, so nobody is to be signalled.
 */
export async function completeStep(
  trx: Db,
  step: Step,
  number: number,
  options: { readonly reportHash?: string } = {},
): Promise<void> {
  const { resource_id: id, run, index } = step;
  const opening = [id, run, index, number, attemptsAllowed(step), step.timeout_seconds];
  const [settled] = await succeed(trx, [...opening, options.reportHash ?? null, number, id, run, index]);
  if (settled !== undefined)
    notifyAttemptsSettled(trx, [{ plugin_id: step.plugin_id, outcome: 'SUCCESS', seconds: settled.seconds }]);
}

const succeed = prepared<Pick<SettledRow, 'seconds'>>(
  'complete_step',
  `with settled as (
     insert into attempts as a (resource_id, run, step_index, number, max, deadline, report_hash,
       outcome, settled_by, settled_at)
     values (?, ?, ?, ?, ?, now() + make_interval(secs => ?), ?, 'SUCCESS', 'CORE', now())
     on conflict (resource_id, run, step_index, number) do update
       set outcome = 'SUCCESS', settled_by = 'CORE', settled_at = now(), report_hash = excluded.report_hash,
         error = null, retryable = null, retry_after_seconds = null, silent_at = null, signal_due_at = null
       where a.outcome is null
     returning extract(epoch from settled_at - started_at)::float8 as seconds
   ), done as (
     update steps set status = 'COMPLETED', attempt = ?, started_at = coalesce(started_at, now()), error = null,
       retry_at = null, waiting_for = null, finished_at = now()
     where resource_id = ? and run = ? and index = ? and status in ('PENDING', 'RUNNING', 'RETRYING')
   )
   select seconds from settled`,
);

/** What settles an attempt. */
export interface Settlement {
  readonly outcome: AttemptOutcome;
  readonly settled_by: SettledBy;
  readonly error?: StepError;
  readonly retryable?: boolean;
  readonly retry_after_seconds?: number | null;
  readonly report_hash?: string;
  /** Seconds until the workflow is to be signalled; left out: nobody is to be. */
  readonly signalAfterSeconds?: number;
}

/** Open → settled, the one conditional update every outcome goes through. Returns whether this call settled it. */
export async function settleAttempt(
  trx: Db,
  step: StepRef,
  number: number,
  settlement: Settlement,
): Promise<boolean> {
  const settled: SettledRow[] = await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index, number })
    .whereNull('outcome')
    .update({
      outcome: settlement.outcome,
      settled_by: settlement.settled_by,
      settled_at: trx.fn.now(),
      silent_at: null,
      error: toJsonText(settlement.error),
      retryable: settlement.retryable ?? null,
      retry_after_seconds: settlement.retry_after_seconds ?? null,
      report_hash: settlement.report_hash ?? null,
      signal_due_at:
        settlement.signalAfterSeconds === undefined
          ? null
          : trx.raw('now() + make_interval(secs => ?)', [settlement.signalAfterSeconds]),
    })
    .returning(settledColumns(trx));
  notifyAttemptsSettled(trx, settled);
  return settled.length > 0;
}

/** The run is about to act on its step's attempts as their rows are: nobody needs to tell it of them any more. */
export async function forgetSignals(trx: Db, step: StepState): Promise<void> {
  if (!step.is_signal_due) return;
  await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index })
    .whereNotNull('signal_due_at')
    .update({ signal_due_at: null });
}

/** Closes the open attempts of a step below a number: a newer one takes their place. */
export async function supersedeAttempts(trx: Db, step: StepRef, below: number): Promise<void> {
  const closed: SettledRow[] = await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index })
    .where('number', '<', below)
    .whereNull('outcome')
    .update({
      outcome: trx.raw("case when deadline <= now() then 'TIMED_OUT' else 'SUPERSEDED' end"),
      settled_by: 'CORE',
      settled_at: trx.fn.now(),
      silent_at: null,
    })
    .returning(settledColumns(trx));
  notifyAttemptsSettled(trx, closed);
}

/** Seconds after which a deadline counts as passed unseen, and those that its worker then gets. */
const late = { afterSeconds: 5, graceSeconds: 30 };

/**
 * Puts off the deadline of an open attempt that passed long before its run could say so: while the database or the workers
 * were away nobody could report. Returns whether it did.
 */
export async function excuseLateDeadline(trx: Db, step: StepRef, number: number): Promise<boolean> {
  const excused: number = await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index, number })
    .whereNull('outcome')
    .whereRaw('deadline < now() - make_interval(secs => ?)', [late.afterSeconds])
    .update({ deadline: trx.raw('now() + make_interval(secs => ?)', [late.graceSeconds]) });
  return excused > 0;
}
