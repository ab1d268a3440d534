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
  const rows: (StepSnapshot & Pick<RunStart, 'name' | 'type'>)[] = await db('resources as r')
    .join('runs as u', 'u.resource_id', 'r.id')
    .join('steps as s', (join) => join.on('s.resource_id', 'u.resource_id').andOn('s.run', 'u.run'))
    .select(
      'r.name',
      'r.type',
      's.index',
      's.plugin_id',
      's.kind',
      's.task_queue',
      's.activity_type',
      's.endpoint',
      's.heartbeat_seconds',
      's.max_attempts',
      's.backoff_seconds',
      's.timeout_seconds',
    )
    .where({ 'r.id': resourceId, 'u.run': run, 'u.status': 'PROCESSING' })
    .orderBy('s.index');
  const [first] = rows;
  if (first === undefined) return null;
  const steps = rows.map(({ name: _name, type: _type, ...step }) => step);
  return { resourceId, run, name: first.name, type: first.type, steps };
}
