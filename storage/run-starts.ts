import type { StepSnapshot } from '../core/run-protocol.js';
import type { Db } from './database.js';

/** What the start of a run's workflow needs to know. */
export interface RunStart {
  readonly resourceId: string;
  readonly run: number;
  readonly name: string;
  readonly type: string;
  readonly steps: readonly StepSnapshot[];
}

/** A run that is to be started, or null when it is over or its resource is gone. */
export async function readRunStart(db: Db, resourceId: string, run: number): Promise<RunStart | null> {
  const resource: { name: string; type: string } | undefined = await db('resources as r')
    .join('runs as u', 'u.resource_id', 'r.id')
    .select('r.name', 'r.type')
    .where({ 'r.id': resourceId, 'u.run': run, 'u.status': 'PROCESSING' })
    .first();
  if (resource === undefined) return null;
  const steps: StepSnapshot[] = await db('steps')
    .select(
      'index',
      'plugin_id',
      'kind',
      'task_queue',
      'activity_type',
      'endpoint',
      'heartbeat_seconds',
      'max_attempts',
      'backoff_seconds',
      'timeout_seconds',
    )
    .where({ resource_id: resourceId, run })
    .orderBy('index');
  return { resourceId, run, ...resource, steps };
}
