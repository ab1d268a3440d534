import { ServiceError } from '../../core/errors.js';
import type { SourceType } from '../../core/states.js';
import type { Db } from '../database.js';
import { enqueue, withdrawStart } from '../outbox.js';
import { noteResourceDeleted } from '../clean-ups.js';
import { findResource, lockResource, type Resource } from '../resources.js';
import { findRun } from '../runs.js';
import { resumeRun, startRun } from './start-run.js';
import { markRunEnded, markStepsCancelled } from './status-writes.js';

/** A resource after a request, and the outbox message to send now, if the request wrote one. */
export interface Requested {
  readonly resource: Resource;
  readonly message: number | null;
}

export interface NewResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly source_type: SourceType;
  readonly source_uri: string | null;
  readonly object_key: string | null;
  readonly size_bytes: number | null;
  readonly sha256: string | null;
  readonly media_type: string | null;
}

const notFound = (id: string): ServiceError => new ServiceError('NOT_FOUND', `There is no resource ${id}.`);

/** Registers a resource and, where a pipeline matches, begins its first run in the same transaction. */
export async function registerResource(db: Db, input: NewResource): Promise<Requested> {
  return await db.transaction(async (trx) => {
    await trx('resources').insert({ ...input, status: 'PENDING' });
    const message = await startRun(trx, { ...input, run: 0 });
    return { resource: await mustFind(trx, input.id), message };
  });
}

/**
 * Begins another run: from step 0 with the pipeline as it is now, or `from` a step of the last run's snapshot.
 * Throws NOT_FOUND, RESOURCE_PROCESSING, NO_MATCHING_PIPELINE and STEP_NOT_RESUMABLE.
 */
export async function reprocessResource(
  db: Db,
  id: string,
  from: number | 'failed' | null,
): Promise<Requested & { readonly message: number }> {
  return await db.transaction(async (trx) => {
    const resource = await lockResource(trx, id);
    if (resource === null) throw notFound(id);
    if (resource.status === 'PROCESSING') {
      throw new ServiceError('RESOURCE_PROCESSING', 'This resource is being processed; cancel it or wait.');
    }
    const message = from === null ? await startRun(trx, resource) : await resumeRun(trx, resource, from);
    if (message === null) {
      throw new ServiceError('NO_MATCHING_PIPELINE', `No pipeline has the trigger type ${resource.type}.`, {
        type: resource.type,
      });
    }
    return { resource: await mustFind(trx, id), message };
  });
}

/**
 * Asks for the end of the current run. A run whose workflow has not begun is CANCELLED here and now; for any other
 * the wish is recorded and sent. Throws NOT_FOUND and RESOURCE_NOT_PROCESSING.
 */
export async function cancelResource(db: Db, id: string): Promise<Requested> {
  return await db.transaction(async (trx) => {
    const resource = await lockResource(trx, id);
    if (resource === null) throw notFound(id);
    const run = await findRun(trx, id, resource.run);
    if (resource.status !== 'PROCESSING' || run === null) {
      throw new ServiceError('RESOURCE_NOT_PROCESSING', 'This resource is not being processed.');
    }
    let message: number | null = null;
    if (run.begun_at === null && (await withdrawStart(trx, id, run.run))) {
      await markStepsCancelled(trx, id, run.run);
      await markRunEnded(trx, id, run.run, { status: 'CANCELLED', error: null });
    } else if (run.cancel_requested_at === null) {
      await trx('runs')
        .where({ resource_id: id, run: run.run })
        .update({ cancel_requested_at: trx.fn.now() });
      message = await enqueue(trx, 'CANCEL', id, run.run);
    }
    return { resource: await mustFind(trx, id), message };
  });
}

/**
 * Removes a resource with everything the database holds of it and leaves a message for the workflow that removes the
 * rest. Throws NOT_FOUND and RESOURCE_PROCESSING. Returns the message.
 */
export async function deleteResource(db: Db, id: string): Promise<number> {
  return await db.transaction(async (trx) => {
    const resource = await lockResource(trx, id);
    if (resource === null) throw notFound(id);
    if (resource.status === 'PROCESSING') {
      throw new ServiceError('RESOURCE_PROCESSING', 'This resource is being processed; cancel it or wait.');
    }
    // A clean-up that fell due before is still to be done: it names what it removes.
    await trx('outbox').where({ resource_id: id }).whereNot({ kind: 'CLEAN_UP' }).delete();
    await noteResourceDeleted(trx, id, resource.run);
    await trx('resources').where({ id }).delete();
    return await enqueue(trx, 'CLEAN_UP', id, null);
  });
}

async function mustFind(trx: Db, id: string): Promise<Resource> {
  const resource = await findResource(trx, id);
  if (resource === null) throw notFound(id);
  return resource;
}
