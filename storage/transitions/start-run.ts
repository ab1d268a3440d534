import { ServiceError } from '../../core/errors.js';
import { runWorkflowId } from '../../core/ids.js';
import type { StepSnapshot } from '../../core/run-protocol.js';
import { keepArtifacts } from '../artifacts.js';
import type { Db } from '../database.js';
import { enqueue } from '../outbox.js';
import type { Resource } from '../resources.js';
import { findRun, listSteps } from '../runs.js';
import { markResourceProcessing } from './status-writes.js';

const snapshotColumns = [
  's.index',
  's.plugin_id',
  'p.kind',
  'p.task_queue',
  'p.activity_type',
  'p.endpoint',
  'p.heartbeat_seconds',
  's.max_attempts',
  's.backoff_seconds',
  's.timeout_seconds',
] as const;

/** The steps of the pipeline that this type selects now, with their plugins' routing; null when there is no pipeline. */
async function snapshotPipeline(trx: Db, type: string): Promise<StepSnapshot[] | null> {
  const pipeline: { id: string } | undefined = await trx('pipelines')
    .select('id')
    .where({ trigger_type: type })
    .forShare()
    .first();
  if (pipeline === undefined) return null;
  return await trx('pipeline_steps as s')
    .join('plugins as p', 'p.id', 's.plugin_id')
    .select(...snapshotColumns)
    .where('s.pipeline_id', pipeline.id)
    .orderBy('s.index')
    .forShare('p');
}

/**
 * Begins the first run of a resource that was just inserted, or another one from step 0, with a fresh snapshot of its
 * pipeline. Returns the outbox message of its start, or null when no pipeline matches.
 * The caller holds the lock on the resource and has made sure that it is not PROCESSING.
 */
export async function startRun(
  trx: Db,
  resource: Pick<Resource, 'id' | 'type' | 'run' | 'source_type'>,
): Promise<number | null> {
  const snapshot = await snapshotPipeline(trx, resource.type);
  if (snapshot === null) return null;
  const run = resource.run + 1;
  await insertRun(trx, resource.id, run, resource.source_type === 'UPLOAD');
  await trx('steps').insert(
    snapshot.map((step) => ({ ...step, resource_id: resource.id, run, status: 'PENDING' })),
  );
  return await announce(trx, resource.id, run);
}

/**
 * Begins a run that resumes the last one's snapshot from a step: the steps before it count as done, their artifacts
 * are kept, and a URL that was fetched is not fetched again. Throws STEP_NOT_RESUMABLE.
 */
export async function resumeRun(trx: Db, resource: Resource, from: number | 'failed'): Promise<number> {
  const last = await findRun(trx, resource.id, resource.run);
  if (last === null) throw new ServiceError('STEP_NOT_RESUMABLE', 'This resource was never processed.');
  const steps = await listSteps(trx, [[resource.id, last.run]]);
  const unfinished = steps.findIndex((step) => step.status !== 'COMPLETED');
  if (from === 'failed' && unfinished === -1) {
    throw new ServiceError('STEP_NOT_RESUMABLE', 'Every step of the last run completed: nothing failed.');
  }
  const index = from === 'failed' ? unfinished : from;
  if (index >= steps.length) {
    throw new ServiceError(
      'STEP_NOT_RESUMABLE',
      `The last run has ${steps.length} steps: there is no step ${index}.`,
      {
        steps: steps.length,
      },
    );
  }
  if (unfinished !== -1 && unfinished < index) {
    throw new ServiceError(
      'STEP_NOT_RESUMABLE',
      `Step ${unfinished} did not complete, so step ${index} cannot be next.`,
      {
        first_unfinished_step: unfinished,
      },
    );
  }
  const run = resource.run + 1;
  await insertRun(trx, resource.id, run, last.source_ready);
  await trx.raw(
    `insert into steps (resource_id, run, index, plugin_id, kind, task_queue, activity_type, endpoint, heartbeat_seconds,
       max_attempts, backoff_seconds, timeout_seconds, status, attempt, started_at, finished_at, is_kept)
     select resource_id, :run, index, plugin_id, kind, task_queue, activity_type, endpoint, heartbeat_seconds,
       max_attempts, backoff_seconds, timeout_seconds,
       case when index < :from then 'COMPLETED' else 'PENDING' end,
       case when index < :from then attempt else 0 end,
       case when index < :from then started_at end,
       case when index < :from then finished_at end,
       index < :from
     from steps where resource_id = :id and run = :last`,
    { run, from: index, id: resource.id, last: last.run },
  );
  await keepArtifacts(trx, resource.id, { from: last.run, to: run }, index);
  return await announce(trx, resource.id, run);
}

async function insertRun(trx: Db, resourceId: string, run: number, sourceReady: boolean): Promise<void> {
  await trx('runs').insert({
    resource_id: resourceId,
    run,
    status: 'PROCESSING',
    workflow_id: runWorkflowId(resourceId, run),
    source_ready: sourceReady,
  });
}

async function announce(trx: Db, resourceId: string, run: number): Promise<number> {
  if (!(await markResourceProcessing(trx, resourceId, run))) {
    throw new ServiceError('RESOURCE_PROCESSING', 'This resource is being processed.');
  }
  return await enqueue(trx, 'START', resourceId, run);
}
