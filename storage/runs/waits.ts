import type { WaitingFor } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { toJsonText } from '../database/json-text.js';
import type { Step } from './runs.js';

/** Seconds until the first check of a step, and between two checks. */
const lookSeconds = 10;

/**
 * Leases running steps for which Temporal may know more than the row about what they wait for, least recently checked
 * first. Returns the ids of their resources.
 *
 * A row records who claimed a step and what was reported. It does not show that the worker of a claimed attempt is
 * gone, or that a worker is working without a claim. It does show what an HTTP worker has accepted, and what the run
 * itself is waiting for. The index `steps_unchecked` has the same condition, so steps that wait for callbacks are not read.
 */
export async function leaseStepsToLookAt(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { resource_id: string }[] }>(
    `update steps set wait_checked_at = now()
     where (resource_id, run, index) in (
       select s.resource_id, s.run, s.index from steps s
       join runs u on u.resource_id = s.resource_id and u.run = s.run and u.status = 'PROCESSING'
       where s.status in ('RUNNING', 'RETRYING')
         and s.wait_checked_at < now() - make_interval(secs => :look)
         and s.started_at < now() - make_interval(secs => :look)
         and not (s.kind = 'http' and coalesce(waits_for(s.waiting_for) in ('callback', 'retry'), false))
       order by s.wait_checked_at limit :limit for update of s skip locked
     )
     returning resource_id`,
    { look: lookSeconds, limit },
  );
  return rows.map(({ resource_id }) => resource_id);
}

/** Records what a step waits for, unless its row has changed since `step` was read. */
export async function noteWait(db: Db, step: Step, waitingFor: WaitingFor | null): Promise<void> {
  await db('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .where({ status: step.status, attempt: step.attempt })
    .whereRaw(`waits_for(waiting_for) is not distinct from waits_for(?::text)`, [
      toJsonText(step.waiting_for),
    ])
    .update({ waiting_for: toJsonText(waitingFor) });
}
