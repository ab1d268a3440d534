import type { AttemptOutcome, StepError } from '../../core/states.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import type { Db } from '../database/connection.js';
import { toJsonText } from '../database/json-text.js';
import { notifyAttemptsSettled, type SettledRow } from '../database/observer.js';
import type { StepState } from '../runs/run-state.js';
import { attemptsAllowed, type SettledBy, type Step } from '../runs/runs.js';
import type { StepRef } from './status-writes.js';

/** Columns that an update of attempts returns for each settled attempt. */
const settledColumns = (db: Db): readonly ReturnType<Db['raw']>[] => [
  db.raw(
    `(select s.plugin_id from steps s where s.resource_id = attempts.resource_id and s.run = attempts.run
        and s.index = attempts.step_index) as plugin_id`,
  ),
  db.raw('outcome'),
  db.raw('extract(epoch from settled_at - started_at)::float8 as seconds'),
];

/** How an attempt is settled. */
export interface Settlement {
  readonly outcome: AttemptOutcome;
  readonly settled_by: SettledBy;
  readonly error?: StepError | undefined;
  readonly retryable?: boolean | undefined;
  readonly retry_after_seconds?: number | null | undefined;
  readonly report_hash?: string | undefined;
  /** Seconds until the workflow is signalled; if omitted, it is not. */
  readonly signalAfterSeconds?: number | undefined;
}

/** Open → settled: the one conditional update that all outcomes use. */
export async function settleAttempt(
  trx: Db,
  step: StepRef,
  number: number,
  settlement: Settlement,
): Promise<void> {
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
}

/** Adds the row of an attempt that was never claimed, so that it can be settled; an existing row stays. */
export async function addUnclaimed(trx: Db, step: Step, number: number): Promise<void> {
  const { resource_id, run, index: step_index } = step;
  await trx('attempts')
    .insert({ resource_id, run, step_index, number, max: attemptsAllowed(step), deadline: trx.fn.now() })
    .onConflict()
    .ignore();
}

/** Clears pending signals of a step's attempts, because the run is about to read their rows. */
export async function forgetSignals(trx: Db, step: StepState): Promise<void> {
  if (!step.is_signal_due) return;
  await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index })
    .whereNotNull('signal_due_at')
    .update({ signal_due_at: null });
}

/** Closes a step's open attempts below a number, because a newer one replaces them. */
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

/** Records why Temporal gave up an attempt that was replaced while it was open. */
export async function noteWhyReplaced(db: Db, ref: AttemptRef, error: StepError): Promise<void> {
  const { resourceId, run, stepIndex, attempt } = ref;
  await db('attempts')
    .where({ resource_id: resourceId, run, step_index: stepIndex, number: attempt })
    .whereIn('outcome', ['SUPERSEDED', 'TIMED_OUT'])
    .whereNull('error')
    .update({ error: toJsonText(error) });
}

/** If Core notices a deadline more than `afterSeconds` late, the worker gets `graceSeconds` more. */
const late = { afterSeconds: 5, graceSeconds: 30 };

/**
 * Extends the deadline of an open attempt if the run learns late that it has passed: while the database or the workers
 * were unavailable, nothing could be reported. Returns whether it was extended.
 */
export async function extendLateDeadline(trx: Db, step: StepRef, number: number): Promise<boolean> {
  const excused: number = await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index, number })
    .whereNull('outcome')
    .whereRaw('deadline < now() - make_interval(secs => ?)', [late.afterSeconds])
    .update({ deadline: trx.raw('now() + make_interval(secs => ?)', [late.graceSeconds]) });
  return excused > 0;
}

/** Seconds in which the worker of a last attempt may still settle it after Temporal missed its heartbeats. */
const lastOutcomeSeconds = 15;

/**
 * Gives the worker of an open attempt a last time to settle it, and records the error with which it times out otherwise.
 * Does nothing if it has that time already, or accepted the attempt and has until its deadline.
 */
export async function awaitLastOutcome(
  trx: Db,
  step: StepRef,
  number: number,
  error: StepError,
): Promise<void> {
  await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index, number })
    .whereNull('outcome')
    .whereNull('error')
    .whereNull('accepted_at')
    .update({
      error: toJsonText(error),
      deadline: trx.raw('now() + make_interval(secs => ?)', [lastOutcomeSeconds]),
    });
}
