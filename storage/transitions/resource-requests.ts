import { ServiceError } from '../../core/errors.js';
import type { Db } from '../database/connection.js';
import { enqueue, withdrawStart } from '../outbox.js';
import { noteResourceDeleted } from '../clean-ups.js';
import { discardAllObjects } from '../sweeps/discarded-objects.js';
import { insertResource, lockExisting, type NewResource, type Resource } from '../resources/resources.js';
import { findRun } from '../runs/runs.js';
import { beginRun, resumeRun, startRun } from './start-run.js';
import { markRunEnded, markStepsCancelled } from './status-writes.js';

/**
 * Registers a resource, inside the caller's transaction, and starts its first run if a pipeline matches. Returns the
 * outbox message to send now, or null if there is none.
 */
export async function registerResource(trx: Db, input: NewResource): Promise<number | null> {
  const run = await insertResource(trx, input);
  return run === 0 ? null : await beginRun(trx, { ...input, run });
}

/**
 * Starts another run, inside the caller's transaction: from step 0 with the current pipeline, or `from` a step of the
 * last run's snapshot. Throws NOT_FOUND, RESOURCE_PROCESSING, NO_MATCHING_PIPELINE and STEP_NOT_RESUMABLE. Returns the
 * outbox message to send now.
 */
export async function reprocessResource(
  trx: Db,
  id: string,
  from: number | 'failed' | null,
): Promise<number> {
  const resource = await lockIdle(trx, id);
  const message = from === null ? await startRun(trx, resource) : await resumeRun(trx, resource, from);
  if (message === null) {
    const { type } = resource;
    throw new ServiceError('NO_MATCHING_PIPELINE', `No pipeline has the trigger type ${type}.`, { type });
  }
  return message;
}

/**
 * Requests cancellation of the current run, inside the caller's transaction. A run whose workflow has not started is
 * CANCELLED immediately; for any other the request is recorded. Throws NOT_FOUND and RESOURCE_NOT_PROCESSING. Returns
 * the outbox message to send now, or null.
 */
export async function cancelResource(trx: Db, id: string): Promise<number | null> {
  const resource = await lockExisting(trx, id);
  const run = await findRun(trx, id, resource.run);
  if (resource.status !== 'PROCESSING' || run === null) {
    throw new ServiceError('RESOURCE_NOT_PROCESSING', 'This resource is not being processed.');
  }
  const withdrawn = await withdrawStart(trx, id, run.run);
  if (withdrawn !== null) {
    await markStepsCancelled(trx, id, run.run);
    await markRunEnded(trx, id, run.run, { status: 'CANCELLED', error: null });
    // The start may still have arrived and started the first step.
    if (withdrawn.tries > 0) return await enqueue(trx, 'CANCEL', id, run.run);
  } else if (run.cancel_requested_at === null) {
    await trx('runs').where({ resource_id: id, run: run.run }).update({ cancel_requested_at: trx.fn.now() });
    return await enqueue(trx, 'CANCEL', id, run.run);
  }
  return null;
}

/**
 * Deletes a resource with all its data in the database, inside the caller's transaction, and writes an outbox message
 * for the workflow that removes the rest. Throws NOT_FOUND and RESOURCE_PROCESSING. Returns the message.
 */
export async function deleteResource(trx: Db, id: string): Promise<number> {
  const resource = await lockIdle(trx, id);
  // Keep earlier clean-ups: they are still pending and list what they remove.
  await trx('outbox').where({ resource_id: id }).whereNot({ kind: 'CLEAN_UP' }).delete();
  await noteResourceDeleted(trx, id, resource.run);
  await discardAllObjects(trx, id);
  await trx('resources').where({ id }).delete();
  return await enqueue(trx, 'CLEAN_UP', id, null);
}

/** Locks a resource that is not being processed. Throws NOT_FOUND and RESOURCE_PROCESSING. */
async function lockIdle(trx: Db, id: string): Promise<Resource> {
  const resource = await lockExisting(trx, id);
  if (resource.status !== 'PROCESSING') return resource;
  throw new ServiceError('RESOURCE_PROCESSING', 'This resource is being processed; cancel it or wait.');
}
