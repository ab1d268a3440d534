import type {
  AttemptOutcome,
  FinalStatus,
  ResourceError,
  StepError,
  StepStatus,
  WaitingFor,
} from '../../core/states.js';
import type { Db } from '../database.js';
import { toJsonText } from '../json-text.js';
import { afterCommit } from '../observer.js';
import { prepared } from '../prepared.js';
import type { StepState } from '../run-state.js';
import {
  attemptsAllowed,
  fromAttemptRow,
  type Attempt,
  type AttemptRow,
  type SettledBy,
  type Step,
} from '../runs.js';

/**
 * The only statements that write a status. Each says which states it leaves, so that a change that comes too late
 * changes nothing; each returns whether it did. Callers hold the lock on the resource.
 */
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

interface SettledRow {
  readonly plugin_id: string;
  readonly outcome: AttemptOutcome;
  readonly seconds: number;
}

function tellOfAttempts(trx: Db, rows: readonly SettledRow[]): void {
  for (const { plugin_id: pluginId, outcome, seconds } of rows)
    afterCommit(trx, (observer) => observer.attemptSettled({ pluginId, outcome, seconds }));
}

const unfinished: readonly StepStatus[] = ['PENDING', 'RUNNING', 'RETRYING'];
const ongoing: readonly StepStatus[] = ['RUNNING', 'RETRYING'];

/** PENDING → RUNNING. */
export async function markStepRunning(
  trx: Db,
  step: StepRef,
  values: { readonly attempt: number; readonly waitingFor: WaitingFor | null },
): Promise<boolean> {
  const changed: number = await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index, status: 'PENDING' })
    .update({
      status: 'RUNNING',
      attempt: values.attempt,
      started_at: trx.fn.now(),
      waiting_for: toJsonText(values.waitingFor),
    });
  return changed > 0;
}

/** RUNNING or RETRYING → RUNNING, with another attempt at work or about to be. */
export async function markStepAttempting(
  trx: Db,
  step: StepRef,
  values: { readonly attempt: number; readonly waitingFor: WaitingFor | null },
): Promise<boolean> {
  const changed: number = await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .whereIn('status', ongoing)
    .update({
      status: 'RUNNING',
      attempt: values.attempt,
      retry_at: null,
      progress: null,
      waiting_for: toJsonText(values.waitingFor),
    });
  return changed > 0;
}

/** RUNNING or RETRYING → RETRYING: the attempt failed, the next one comes after `pauseSeconds`. */
export async function markStepRetrying(
  trx: Db,
  step: StepRef,
  values: { readonly attempt: number; readonly error: StepError; readonly pauseSeconds: number },
): Promise<boolean> {
  const changed: number = await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .whereIn('status', ongoing)
    .update({
      status: 'RETRYING',
      attempt: values.attempt,
      progress: null,
      error: toJsonText(values.error),
      retry_at: trx.raw('now() + make_interval(secs => ?)', [values.pauseSeconds]),
      waiting_for: toJsonText({
        kind: 'retry',
        until: new Date(Date.now() + values.pauseSeconds * 1000).toISOString(),
        task_queue: null,
        message: `Attempt ${values.attempt} failed with ${values.error.code}; the next one comes after a pause.`,
      } satisfies WaitingFor),
    });
  return changed > 0;
}

/** RUNNING or RETRYING → COMPLETED, after an attempt whose outcome stands in its row already. */
export async function markStepCompleted(trx: Db, step: StepRef, attempt: number): Promise<boolean> {
  const changed: number = await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .whereIn('status', ongoing)
    .update({
      status: 'COMPLETED',
      attempt,
      error: null,
      retry_at: null,
      waiting_for: null,
      finished_at: trx.fn.now(),
    });
  return changed > 0;
}

/** Any unfinished state → FAILED. */
export async function markStepFailed(
  trx: Db,
  step: StepRef,
  values: { readonly attempt: number; readonly error: StepError },
): Promise<boolean> {
  const changed: number = await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .whereIn('status', unfinished)
    .update({
      status: 'FAILED',
      attempt: values.attempt,
      error: toJsonText(values.error),
      retry_at: null,
      waiting_for: null,
      finished_at: trx.fn.now(),
    });
  return changed > 0;
}

/** Every unfinished step of a run → CANCELLED. */
export async function markStepsCancelled(trx: Db, resourceId: string, run: number): Promise<void> {
  await trx('steps')
    .where({ resource_id: resourceId, run })
    .whereIn('status', unfinished)
    .update({ status: 'CANCELLED', retry_at: null, waiting_for: null, finished_at: trx.fn.now() });
}

/** PROCESSING → a final status, of the run and of the resource it is the current run of. Closes what is open in it. */
export async function markRunEnded(
  trx: Db,
  resourceId: string,
  run: number,
  values: { readonly status: FinalStatus; readonly error: ResourceError | null },
): Promise<boolean> {
  const { status } = values;
  const error = toJsonText(values.error);
  const outcome = status === 'CANCELLED' ? 'CANCELLED' : 'SUPERSEDED';
  const [ended] = await endRun(trx, [status, error, resourceId, run, outcome, status, error]);
  if (ended === undefined) return false;
  afterCommit(trx, (observer) => observer.runEnded({ status, seconds: ended.seconds }));
  tellOfAttempts(trx, ended.closed ?? []);
  return true;
}

const endRun = prepared<{ readonly seconds: number; readonly closed: readonly SettledRow[] | null }>(
  'end_run',
  `with ended as (
     update runs set status = ?, error = ?, finished_at = now()
     where resource_id = ? and run = ? and status = 'PROCESSING'
     returning resource_id, run, extract(epoch from finished_at - started_at)::float8 as seconds
   ), idle as (
     update steps s set waiting_for = null from ended e
     where s.resource_id = e.resource_id and s.run = e.run and s.waiting_for is not null
   ), closed as (
     update attempts a set outcome = ?, settled_by = 'CORE', settled_at = now(), silent_at = null from ended e
     where a.resource_id = e.resource_id and a.run = e.run and a.outcome is null
     returning a.outcome, extract(epoch from a.settled_at - a.started_at)::float8 as seconds,
       (select s.plugin_id from steps s
        where s.resource_id = a.resource_id and s.run = a.run and s.index = a.step_index) as plugin_id
   ), shown as (
     update resources r set status = ?, error = ?, finished_at = now(), updated_at = now() from ended e
     where r.id = e.resource_id and r.run = e.run and r.status = 'PROCESSING'
   )
   select seconds, (select json_agg(closed) from closed) as closed from ended`,
);

/** Any state but PROCESSING → PROCESSING, under a new run. */
export async function markResourceProcessing(trx: Db, resourceId: string, run: number): Promise<boolean> {
  const changed: number = await trx('resources')
    .where({ id: resourceId, run: run - 1 })
    .whereNot('status', 'PROCESSING')
    .update({
      status: 'PROCESSING',
      run,
      error: null,
      started_at: trx.fn.now(),
      finished_at: null,
      updated_at: trx.fn.now(),
    });
  return changed > 0;
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
    tellOfAttempts(trx, [{ plugin_id: step.plugin_id, outcome: 'SUCCESS', seconds: settled.seconds }]);
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
  tellOfAttempts(trx, settled);
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
  tellOfAttempts(trx, closed);
}
