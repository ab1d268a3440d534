import { ServiceError } from '../../core/errors.js';
import { runWorkflowId } from '../../core/ids.js';
import type { StepSnapshot } from '../../core/runs/run-protocol.js';
import { keepArtifacts } from '../artifacts.js';
import type { Db } from '../database/connection.js';
import { enqueue } from '../outbox.js';
import { prepared } from '../database/prepared.js';
import type { Resource } from '../resources/resources.js';
import { findRun, listSteps } from '../runs/runs.js';
import { markResourceProcessing } from './status-writes.js';

const lockPipeline = prepared('lock_pipeline', 'select id from pipelines where trigger_type = ? for share');

/**
 * The steps of a pipeline, with their plugins' routing. The caller has locked the pipeline in an earlier statement:
 * one that waits for the lock still sees the steps from before the wait, and misses those whose plugin was deleted.
 * The plugins are locked until the run that uses them is written.
 */
const readSteps = prepared<StepSnapshot>(
  'snapshot_pipeline',
  `select s.index, s.plugin_id, p.kind, p.task_queue, p.activity_type, p.endpoint, p.heartbeat_seconds,
     s.max_attempts, s.backoff_seconds, s.timeout_seconds
   from pipelines l join pipeline_steps s on s.pipeline_id = l.id join plugins p on p.id = s.plugin_id
   where l.trigger_type = ? order by s.index for share of p`,
);

/**
 * Starts another run of a resource from step 0, with a new snapshot of its pipeline. Returns the outbox message of its
 * start, or null if no pipeline matches. The caller holds the lock on the resource and has checked that it is not
 * PROCESSING.
 */
export async function startRun(trx: Db, resource: Resource): Promise<number | null> {
  if ((await lockPipeline(trx, [resource.type])).length === 0) return null;
  const run = resource.run + 1;
  await mustBeFree(trx, resource.id, run);
  return await beginRun(trx, { ...resource, run });
}

/**
 * Writes a run with a snapshot of the pipeline's steps, and the outbox message of its start. Returns the message. The
 * caller has locked the pipeline.
 */
export async function beginRun(
  trx: Db,
  { id, type, run, source_type }: Pick<Resource, 'id' | 'type' | 'run' | 'source_type'>,
): Promise<number> {
  const snapshot = await readSteps(trx, [type]);
  const [message] = await insertStart(trx, [
    ...[id, run, runWorkflowId(id, run), source_type === 'UPLOAD'],
    ...[id, run, JSON.stringify(snapshot)],
    ...[id, run],
  ]);
  return (message as { readonly id: number }).id;
}

const insertStart = prepared<{ readonly id: number }>(
  'begin_run',
  `with begun as (
     insert into runs (resource_id, run, status, workflow_id, source_ready) values (?, ?, 'PROCESSING', ?, ?)
   ), planned as (
     insert into steps (resource_id, run, status, index, plugin_id, kind, task_queue, activity_type, endpoint,
       heartbeat_seconds, max_attempts, backoff_seconds, timeout_seconds, waiting_since)
     select ?, ?, 'PENDING', index, plugin_id, kind, task_queue, activity_type, endpoint,
       heartbeat_seconds, max_attempts, backoff_seconds, timeout_seconds, case when index = 0 then now() end
     from json_to_recordset(?) as s (index integer, plugin_id text, kind text, task_queue text, activity_type text,
       endpoint text, heartbeat_seconds double precision, max_attempts integer, backoff_seconds double precision,
       timeout_seconds double precision)
   )
   insert into outbox (kind, resource_id, run) values ('START', ?, ?) returning id`,
);

/** The columns of a plugin that say where its steps are executed. */
const routing = ['kind', 'task_queue', 'activity_type', 'endpoint', 'heartbeat_seconds'] as const;

/**
 * Starts a run that resumes the last one's snapshot from a step: the steps before it count as completed, their
 * artifacts are kept, and a fetched URL is not fetched again. The other steps are executed where their plugins are now,
 * because an operator may have corrected an address, and the old one must not get today's secrets. A step whose plugin
 * is gone is refused when the run reaches it. Throws STEP_NOT_RESUMABLE.
 */
export async function resumeRun(trx: Db, resource: Resource, from: number | 'failed'): Promise<number> {
  const last = await findRun(trx, resource.id, resource.run);
  if (last === null)
    throw notResumable('This resource has not been processed yet, so no step can be resumed.');
  const steps = await listSteps(trx, resource.id, last.run);
  const unfinished = steps.findIndex((step) => step.status !== 'COMPLETED');
  if (from === 'failed' && unfinished === -1)
    throw notResumable('Every step of the last run completed; none failed.');
  const index = from === 'failed' ? unfinished : from;
  if (index >= steps.length) {
    const message = `The last run has ${steps.length} steps: there is no step ${index}.`;
    throw notResumable(message, { steps: steps.length });
  }
  if (unfinished !== -1 && unfinished < index) {
    const message = `Step ${unfinished} did not complete, so step ${index} cannot be next.`;
    throw notResumable(message, { first_unfinished_step: unfinished });
  }
  const run = resource.run + 1;
  await mustBeFree(trx, resource.id, run);
  await trx('runs').insert({
    resource_id: resource.id,
    run,
    status: 'PROCESSING',
    workflow_id: runWorkflowId(resource.id, run),
    source_ready: last.source_ready,
  });
  await trx.raw(
    `with present as (
       select id, ${routing.join(', ')} from plugins
       where id in (select plugin_id from steps where resource_id = :id and run = :last and index >= :from) for share
     )
     insert into steps (resource_id, run, index, plugin_id, ${routing.join(', ')},
       max_attempts, backoff_seconds, timeout_seconds, status, attempt, started_at, attempt_started_at, queue_seconds,
       run_seconds, finished_at, is_kept, waiting_since)
     select resource_id, :run, index, plugin_id,
       ${routing.map((column) => `case when p.id is null then s.${column} else p.${column} end`).join(', ')},
       max_attempts, backoff_seconds, timeout_seconds,
       case when index < :from then 'COMPLETED' else 'PENDING' end,
       case when index < :from then attempt else 0 end,
       case when index < :from then started_at end,
       case when index < :from then attempt_started_at end,
       case when index < :from then queue_seconds end,
       case when index < :from then run_seconds end,
       case when index < :from then finished_at end,
       index < :from,
       case when index = :from then now() end
     from steps s left join present p on p.id = s.plugin_id and s.index >= :from
     where resource_id = :id and run = :last`,
    { run, from: index, id: resource.id, last: last.run },
  );
  await keepArtifacts(trx, resource.id, { from: last.run, to: run }, index);
  return await enqueue(trx, 'START', resource.id, run);
}

const notResumable = (message: string, details: Record<string, unknown> = {}): ServiceError =>
  new ServiceError('STEP_NOT_RESUMABLE', message, details);

async function mustBeFree(trx: Db, resourceId: string, run: number): Promise<void> {
  if (!(await markResourceProcessing(trx, resourceId, run))) {
    throw new ServiceError('RESOURCE_PROCESSING', 'This resource is being processed.');
  }
}
