import type { RunRef } from '../../core/runs/refs.js';
import type { WaitingFor } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import type { StoredStream } from '../object-store/store-stream.js';
import { discardObjects } from '../sweeps/discarded-objects.js';
import { lockResource } from '../resources/resources.js';
import { findRun } from '../runs/runs.js';

/** The URL of a run's source, or null if nothing is left to fetch. */
export async function readUnfetchedUrl(db: Db, resourceId: string, run: number): Promise<string | null> {
  const row: { source_uri: string | null } | undefined = await db('resources as r')
    .join('runs as u', 'u.resource_id', 'r.id')
    .select('r.source_uri')
    .where({ 'r.id': resourceId, 'u.run': run, 'u.status': 'PROCESSING', 'u.source_ready': false })
    .first();
  return row?.source_uri ?? null;
}

/** Records why the source of a run was not fetched, where the run waits for it. */
export async function noteFetchFailure(db: Db, ref: RunRef, message: string): Promise<void> {
  await db('steps')
    .where({ resource_id: ref.resourceId, run: ref.run, status: 'PENDING' })
    .whereNotNull('waiting_for')
    .update({ waiting_for: JSON.stringify(waitingForFetch(message)) });
}

/** What the first step of a run waits for while the source is being fetched. */
export function waitingForFetch(message: string): WaitingFor {
  return { kind: 'fetch', until: null, task_queue: null, message };
}

/**
 * Records the bytes that a run fetched as its resource's source. Returns false if the run has ended and nothing uses
 * them. Idempotent.
 */
export async function sourceFetched(
  db: Db,
  ref: RunRef,
  source: StoredStream & { readonly object_key: string },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const resource = await lockResource(trx, ref.resourceId);
    if (resource?.object_key === source.object_key) return true;
    const run = resource && (await findRun(trx, ref.resourceId, ref.run));
    if (run?.status !== 'PROCESSING' || run.source_ready || resource?.run !== ref.run) return false;
    await trx('resources')
      .where({ id: ref.resourceId })
      .update({ ...source, updated_at: trx.fn.now() });
    await trx('runs').where({ resource_id: ref.resourceId, run: ref.run }).update({ source_ready: true });
    await trx('steps')
      .where({ resource_id: ref.resourceId, run: ref.run, status: 'PENDING' })
      .update({ waiting_for: null });
    if (resource.object_key !== null) await discardObjects(trx, [resource.object_key]);
    return true;
  });
}
