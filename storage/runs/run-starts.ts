import { isReader, readingQueueOf, waitingForRoom, type StepInput } from '../../core/documents/reading.js';
import { isRunByCore, nextStep, type StepToDo } from '../../core/runs/next-step.js';
import type { ReadingQueue, RunStart, StepSnapshot } from '../../core/runs/run-protocol.js';
import type { WaitingFor } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';

/** The input of a run's start, as JSON from PostgreSQL. */
export interface RunStartRow {
  readonly name: string;
  readonly type: string;
  readonly media_type: string | null;
  readonly size_bytes: number | null;
  readonly text_bytes: number | null;
  readonly source_ready: boolean;
  readonly steps: readonly (StepSnapshot & StepToDo)[];
}

/** SQL for the size of the text that the steps of a run of the resource `r` process. */
const textBytes = `(
  select max(a.size_bytes) from artifacts a where a.resource_id = r.id and a.type = 'text')`;

/** SQL for the run input of an outbox row; null if the run has ended or its resource is deleted. */
export const runStartOfOutbox = `(
  select json_build_object('name', r.name, 'type', r.type, 'media_type', r.media_type, 'size_bytes', r.size_bytes,
    'text_bytes', ${textBytes}, 'source_ready', u.source_ready, 'steps', (
    select json_agg(json_build_object('index', s.index, 'plugin_id', s.plugin_id, 'kind', s.kind,
        'task_queue', s.task_queue, 'activity_type', s.activity_type, 'endpoint', s.endpoint,
        'heartbeat_seconds', s.heartbeat_seconds, 'max_attempts', s.max_attempts,
        'backoff_seconds', s.backoff_seconds, 'timeout_seconds', s.timeout_seconds,
        'status', s.status, 'is_plugin_active', p.is_active) order by s.index)
    from steps s left join plugins p on p.id = s.plugin_id
    where s.resource_id = u.resource_id and s.run = u.run))
  from resources r join runs u on u.resource_id = r.id
  where outbox.kind = 'START' and r.id = outbox.resource_id and u.run = outbox.run and u.status = 'PROCESSING')`;

/** Converts the result of such an expression. */
export function toRunStart({ name, type, source_ready, steps, ...input }: RunStartRow): RunStart {
  const next = nextStep({ source_ready, steps });
  const first = next.do === 'COMPLETE' ? null : next.step;
  const begins = next.do === 'BEGIN' && isRunByCore(next.step) ? next.step.index : null;
  const snapshot = steps.map(({ status: _status, is_plugin_active: _active, ...step }) => step);
  const queue = first === null ? null : readingQueueOf(first, toStepInput({ name, ...input }));
  return { name, type, steps: snapshot, begins, queue };
}

type StepInputRow = Pick<RunStartRow, 'name' | 'media_type' | 'size_bytes' | 'text_bytes'>;

const toStepInput = ({ name, media_type, size_bytes, text_bytes }: StepInputRow): StepInput => ({
  ...{ name, mediaType: media_type, sizeBytes: size_bytes, textBytes: text_bytes },
});

const readStepInput = prepared<StepInputRow>(
  'read_step_input',
  `select r.name, r.media_type, r.size_bytes, ${textBytes} as text_bytes from resources r where r.id = ?`,
);

/** The queue in which a step waits for a child process, depending on its input; null if it needs none. */
export async function readingQueue(
  db: Db,
  step: Pick<StepSnapshot, 'task_queue' | 'activity_type'> & { readonly resource_id: string },
): Promise<ReadingQueue | null> {
  if (!isReader(step)) return null;
  const [input] = await readStepInput(db, [step.resource_id]);
  return input === undefined ? null : readingQueueOf(step, toStepInput(input));
}

/**
 * What a step waits for before its first attempt. A step of an activity plugin waits until a worker claims it; Core's
 * own workers deliver HTTP steps.
 */
export function waitingForWorker(
  step: Pick<StepSnapshot, 'kind' | 'task_queue'>,
  queue: ReadingQueue | null = null,
): WaitingFor | null {
  if (step.kind !== 'activity') return null;
  if (queue !== null) return waitingForRoom(queue);
  return {
    kind: 'worker',
    until: null,
    task_queue: step.task_queue,
    message: `Waiting for a worker on the task queue ${step.task_queue ?? ''}.`,
  };
}
