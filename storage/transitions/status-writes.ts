import type { FinalStatus, ResourceError, StepError, StepStatus, WaitingFor } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { toJsonText } from '../database/json-text.js';
import { afterCommit } from '../database/observer.js';
import { prepared } from '../database/prepared.js';
import { notifyAttemptsSettled, type SettledRow, type StepRef } from './attempt-writes.js';

/*
 * The only statements that write a status, with those of `attempt-writes.ts`. Each says which states it leaves, so that a
 * change that comes too late changes nothing; each returns whether it did. Callers hold the lock on the resource.
 */
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
      waiting_for: trx.raw(
        `json_build_object('kind', 'retry',
          'until', to_char((now() + make_interval(secs => ?)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'task_queue', null, 'message', ?::text)::text`,
        [
          values.pauseSeconds,
          `Attempt ${values.attempt} failed with ${values.error.code}; the next one comes after a pause.`,
        ],
      ),
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
  notifyAttemptsSettled(trx, ended.closed ?? []);
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
