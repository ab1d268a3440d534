import type { RunStart } from '../../core/runs/run-protocol.js';
import type { FinalStatus, ResourceError, StepError, StepStatus, WaitingFor } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { toJsonText } from '../database/json-text.js';
import { afterCommit, notifyAttemptsSettled, type SettledRow } from '../database/observer.js';
import { prepared } from '../database/prepared.js';
import { waitingForWorker } from '../runs/run-starts.js';
import { attemptsAllowed, fromAttemptRow, type Attempt, type AttemptRow, type Step } from '../runs/runs.js';

/*
 * The only statements that change a status; test/storage/status-writes.test.ts enforces this. Each one is conditional
 * on the previous status, so that a late change has no effect. Callers hold the lock on the resource, except for
 * `noteStarted`.
 */

export interface StepRef {
  readonly resource_id: string;
  readonly run: number;
  readonly index: number;
}

const unfinished: readonly StepStatus[] = ['PENDING', 'RUNNING', 'RETRYING'];
const ongoing: readonly StepStatus[] = ['RUNNING', 'RETRYING'];

/**
 * SQL for the seconds that workers spent on a step: the sum over its attempts, with the open one ending now. Null if
 * none was claimed: the row of an attempt that was not is written when it is settled.
 */
const runSeconds = `(
  select nullif(sum(greatest(0, extract(epoch from coalesce(a.settled_at, now()) - a.started_at))), 0)::float8 from attempts a
  where a.resource_id = steps.resource_id and a.run = steps.run and a.step_index = steps.index)`;

const keyOf = ({ resource_id, run, index }: StepRef): StepRef => ({ resource_id, run, index });

/** PENDING → RUNNING, with the first attempt. */
export async function markStepRunning(trx: Db, step: StepRef, waitingFor: WaitingFor | null): Promise<void> {
  await trx('steps')
    .where({ ...keyOf(step), status: 'PENDING' })
    .update({
      status: 'RUNNING',
      attempt: 1,
      started_at: trx.fn.now(),
      waiting_for: toJsonText(waitingFor),
    });
}

/** RUNNING or RETRYING → RUNNING, with another attempt running or about to. */
export async function markStepAttempting(
  trx: Db,
  step: StepRef,
  values: { readonly attempt: number; readonly waitingFor: WaitingFor | null },
): Promise<void> {
  await trx('steps')
    .where(keyOf(step))
    .whereIn('status', ongoing)
    .update({
      status: 'RUNNING',
      attempt: values.attempt,
      attempt_started_at: null,
      retry_at: null,
      progress: null,
      waiting_for: toJsonText(values.waitingFor),
    });
}

const note = prepared(
  'note_started',
  `with sent as (delete from outbox where id = ? returning resource_id, run)
   update steps s set status = 'RUNNING', attempt = 1, started_at = now(), waiting_for = ?
   from sent join runs u on u.resource_id = sent.resource_id and u.run = sent.run and u.status = 'PROCESSING'
   where s.resource_id = sent.resource_id and s.run = sent.run and s.index = ? and s.status = 'PENDING'`,
);

/**
 * Removes the message of a start that Temporal has acknowledged, and marks the run's first step as RUNNING: PENDING →
 * RUNNING, unless its worker was faster.
 */
export async function noteStarted(
  db: Db,
  message: number,
  { steps, begins, queue }: RunStart,
): Promise<void> {
  const first = steps.find((step) => step.index === begins);
  const waitingFor = first === undefined ? null : waitingForWorker(first, queue);
  await note(db, [message, toJsonText(waitingFor), begins ?? -1]);
}

/**
 * Opens an attempt and marks its step as RUNNING: PENDING, RUNNING or RETRYING → RUNNING. Returns the attempt, or null
 * if it exists already.
 */
export async function openAttempt(trx: Db, step: Step, number: number): Promise<Attempt | null> {
  const { resource_id: id, run, index } = step;
  const opening = [id, run, index, number, attemptsAllowed(step), step.timeout_seconds];
  const plugin = step.kind === 'http' ? step.plugin_id : null;
  const [opened] = await insertAttempt(trx, [...opening, plugin, number, id, run, index]);
  return opened === undefined ? null : fromAttemptRow(opened);
}

const insertAttempt = prepared<AttemptRow>(
  'open_attempt',
  `with opened as (
     insert into attempts (resource_id, run, step_index, number, max, deadline, delivered_to)
     values (?, ?, ?, ?, ?, now() + make_interval(secs => ?), ?)
     on conflict (resource_id, run, step_index, number) do nothing
     returning resource_id, run, step_index, number, max, started_at, deadline, outcome, settled_by, settled_at,
       report_hash, error, retryable, retry_after_seconds, silent_at
   ), at_work as (
     update steps set status = 'RUNNING', attempt = ?, started_at = coalesce(started_at, now()),
       attempt_started_at = coalesce((select o.started_at from opened o), attempt_started_at), retry_at = null, queue_seconds = coalesce(queue_seconds,
         extract(epoch from greatest(now() - started_at, interval '0'))::float8, 0), progress = null, waiting_for = null
     where resource_id = ? and run = ? and index = ? and status in ('PENDING', 'RUNNING', 'RETRYING')
   )
   select resource_id, run, step_index, number, max, started_at, deadline, outcome, settled_by, settled_at,
     report_hash, error, retryable, retry_after_seconds, silent_at from opened`,
);

/**
 * RUNNING or RETRYING → RETRYING: the attempt failed, the next one starts after `pauseSeconds`, or after the pause that
 * has begun if that is null.
 */
export async function markStepRetrying(
  trx: Db,
  step: StepRef,
  values: { readonly attempt: number; readonly error: StepError; readonly pauseSeconds: number | null },
): Promise<void> {
  const { pauseSeconds } = values;
  const retryAt =
    pauseSeconds === null ? trx.ref('retry_at') : trx.raw('now() + make_interval(secs => ?)', [pauseSeconds]);
  const code = searchable(values.error.code);
  const message = `Attempt ${values.attempt} failed with ${code}; the next one starts after a pause.`;
  await trx('steps')
    .where(keyOf(step))
    .whereIn('status', ongoing)
    .update({
      status: 'RETRYING',
      attempt: values.attempt,
      attempt_started_at: null,
      progress: null,
      error: toJsonText(values.error),
      retry_at: retryAt,
      waiting_for: trx.raw(
        `json_build_object('kind', 'retry',
          'until', to_char((?) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'task_queue', null, 'message', ?::text)::text`,
        [retryAt, message],
      ),
    });
}

/** The columns that are set whenever a step ends. */
const endedNow = (trx: Db): Record<string, unknown> => ({
  retry_at: null,
  waiting_for: null,
  finished_at: trx.fn.now(),
  run_seconds: trx.raw(runSeconds),
});

/** RUNNING or RETRYING → COMPLETED, after an attempt whose outcome is already recorded. */
export async function markStepCompleted(trx: Db, step: StepRef, attempt: number): Promise<void> {
  await trx('steps')
    .where(keyOf(step))
    .whereIn('status', ongoing)
    .update({ status: 'COMPLETED', attempt, error: null, ...endedNow(trx) });
}

/**
 * Settles as SUCCESS an attempt that is open, or whose outcome the run has not seen, and completes its step: PENDING,
 * RUNNING or RETRYING → COMPLETED. Core itself saw the success, so no signal is sent.
 */
export async function completeStep(trx: Db, step: Step, number: number, reportHash?: string): Promise<void> {
  const { resource_id: id, run, index } = step;
  const opening = [id, run, index, number, attemptsAllowed(step), step.timeout_seconds];
  const [settled] = await succeed(trx, [...opening, reportHash ?? null, number, id, run, index]);
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
       retry_at = null, waiting_for = null, finished_at = now(), run_seconds = ${runSeconds}
     where resource_id = ? and run = ? and index = ? and status in ('PENDING', 'RUNNING', 'RETRYING')
   )
   select seconds from settled`,
);

/** Any unfinished state → FAILED. */
export async function markStepFailed(
  trx: Db,
  step: StepRef,
  { attempt, error }: { readonly attempt: number; readonly error: StepError },
): Promise<void> {
  await trx('steps')
    .where(keyOf(step))
    .whereIn('status', unfinished)
    .update({ status: 'FAILED', attempt, error: toJsonText(error), ...endedNow(trx) });
}

/** Every unfinished step of a run → CANCELLED. */
export async function markStepsCancelled(trx: Db, resourceId: string, run: number): Promise<void> {
  await trx('steps')
    .where({ resource_id: resourceId, run })
    .whereIn('status', unfinished)
    .update({ status: 'CANCELLED', ...endedNow(trx) });
}

/**
 * PROCESSING → a final status, for the run and for the resource whose current run it is. Closes open steps and
 * attempts.
 */
export async function markRunEnded(
  trx: Db,
  resourceId: string,
  run: number,
  values: { readonly status: FinalStatus; readonly error: ResourceError | null },
): Promise<boolean> {
  const { status } = values;
  const error = toJsonText(values.error);
  const outcome = status === 'CANCELLED' ? 'CANCELLED' : 'SUPERSEDED';
  const code = values.error === null ? null : searchable(values.error.code);
  const bindings = [status, error, resourceId, run, outcome, status, error, code, values.error?.step ?? null];
  const [ended] = await endRun(trx, bindings);
  if (ended === undefined) return false;
  afterCommit(trx, (observer) => observer.runEnded({ status, seconds: ended.seconds }));
  notifyAttemptsSettled(trx, ended.closed ?? []);
  return true;
}

/**
 * Makes an error code safe to store as text, index and filter: PostgreSQL text cannot contain NUL, and index entries
 * have a size limit.
 */
function searchable(code: string): string {
  return code.slice(0, 200).replaceAll('\0', '\uFFFD').toWellFormed();
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
     update resources r set status = ?, error = ?, error_code = ?, failed_plugin = (
         select s.plugin_id from steps s where s.resource_id = e.resource_id and s.run = e.run and s.index = ?
       ), finished_at = now(), updated_at = now() from ended e
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
      error_code: null,
      failed_plugin: null,
      started_at: trx.fn.now(),
      finished_at: null,
      updated_at: trx.fn.now(),
    });
  return changed > 0;
}
