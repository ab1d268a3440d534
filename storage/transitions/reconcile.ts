import type { RunRef } from '../../core/runs/refs.js';
import type { Db } from '../database/connection.js';
import { enqueue } from '../outbox.js';
import { lockResource } from '../resources/resources.js';
import { isOngoing, readRunState } from '../runs/run-state.js';
import { cancelRun } from './advance.js';
import { markRunEnded, markStepFailed } from './status-writes.js';

/** How long a run must be unknown to Temporal before it is restarted, in seconds. */
const missingForSeconds = 30;

/**
 * Leases runs whose workflow should be checked: PROCESSING, already started, and neither checked nor active for
 * `quietSeconds`. Runs that Temporal did not know at the last check come first, 30 seconds after it.
 *
 * Looks at the `limit` least recently checked runs. Those that are active count as checked when their last attempt
 * began, and are not returned: otherwise the attempts of every unchecked run would be read each time.
 */
export async function leaseQuietRuns(
  db: Db,
  options: { readonly limit: number; readonly quietSeconds: number },
): Promise<(RunRef & { readonly missing: boolean })[]> {
  const { rows } = await db.raw<{ rows: (RunRef & { readonly missing: boolean })[] }>(
    `with oldest as materialized (
       select r.resource_id, r.run, r.missing_since is not null as missing from runs r
       where r.status = 'PROCESSING'
         and r.checked_at < now() - make_interval(secs => least(:quiet::float8, :missing::float8))
         and (r.missing_since is not null or r.checked_at < now() - make_interval(secs => :quiet))
         and not exists (
           select 1 from outbox o where o.kind = 'START' and o.resource_id = r.resource_id and o.run = r.run
         )
       order by r.missing_since, r.checked_at limit :limit for update skip locked
     ), looked_at as materialized (
       select o.resource_id, o.run, o.missing, a.active_at from oldest o
       cross join lateral (
         select max(a.started_at) as active_at from attempts a
         where not o.missing and a.resource_id = o.resource_id and a.run = o.run
           and a.started_at > now() - make_interval(secs => :quiet)
       ) a
     ), leased as (
       update runs r set checked_at = coalesce(l.active_at, now()) from looked_at l
       where r.resource_id = l.resource_id and r.run = l.run
     )
     select resource_id as "resourceId", run, missing from looked_at where active_at is null`,
    { quiet: options.quietSeconds, missing: missingForSeconds, limit: options.limit },
  );
  return rows;
}

/** PROCESSING runs whose cancellation was requested at least `afterSeconds` ago and sent to Temporal. */
export async function listOverdueCancels(
  db: Db,
  options: { readonly limit: number; readonly afterSeconds: number },
): Promise<RunRef[]> {
  const { rows } = await db.raw<{ rows: RunRef[] }>(
    `select r.resource_id as "resourceId", r.run from runs r
     where r.status = 'PROCESSING' and r.cancel_requested_at < now() - make_interval(secs => :after)
       and not exists (select 1 from outbox o where o.resource_id = r.resource_id and o.run = r.run)
     order by r.cancel_requested_at limit :limit`,
    { after: options.afterSeconds, limit: options.limit },
  );
  return rows;
}

/** Those of these runs that are still PROCESSING in the tables. */
export async function stillProcessing(db: Db, runs: readonly RunRef[]): Promise<RunRef[]> {
  if (runs.length === 0) return [];
  const refs = runs.map(({ resourceId, run }) => [resourceId, run]);
  return await db('runs')
    .select('resource_id as resourceId', 'run')
    .whereIn(['resource_id', 'run'], refs)
    .where({ status: 'PROCESSING' });
}

/**
 * Ends a run whose workflow closed without updating the tables: as CANCELLED if cancellation was requested, else as
 * FAILED. Returns false if the run has ended in the meantime.
 */
export async function endRunFromOutside(
  db: Db,
  { resourceId, run }: RunRef,
  error: { readonly code: string; readonly message: string },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    await lockResource(trx, resourceId);
    const current = await readRunState(trx, resourceId, run);
    if (current?.status !== 'PROCESSING') return false;
    if (current.cancel_requested_at !== null) {
      await cancelRun(trx, current);
      return true;
    }
    const step = current.steps.find(isOngoing);
    if (step !== undefined)
      await markStepFailed(trx, step, { attempt: step.attempt, error: { ...error, details: {} } });
    return await markRunEnded(trx, resourceId, run, {
      status: 'FAILED',
      error: { ...error, step: step?.index ?? null },
    });
  });
}

/** Records that Temporal knows a run. */
export async function markRunKnown(db: Db, { resourceId, run }: RunRef): Promise<void> {
  await db('runs').where({ resource_id: resourceId, run }).update({ missing_since: null });
}

/**
 * Records that Temporal does not know a run. The second time, 30 seconds later, requests its start again; the run
 * continues from its first step that is not COMPLETED. Returns the outbox message in that case, else null.
 */
export async function restartMissingRun(db: Db, { resourceId, run }: RunRef): Promise<number | null> {
  return await db.transaction(async (trx) => {
    await lockResource(trx, resourceId);
    const row: { missing: boolean | null } | undefined = await trx('runs')
      .select(trx.raw('missing_since < now() - make_interval(secs => ?) as missing', [missingForSeconds]))
      .where({ resource_id: resourceId, run, status: 'PROCESSING' })
      .first();
    if (row === undefined) return null;
    const again = row.missing === true;
    await trx('runs')
      .where({ resource_id: resourceId, run })
      .update({ missing_since: again ? null : trx.raw('coalesce(missing_since, now())') });
    return again ? await enqueue(trx, 'START', resourceId, run) : null;
  });
}
