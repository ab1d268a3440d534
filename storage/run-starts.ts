import { isReader, readingQueueOf, waitingForRoom, type StepInput } from '../core/reading.js';
import { coreTaskQueue, type ReadingQueue, type RunStart, type StepSnapshot } from '../core/run-protocol.js';
import type { StepStatus, WaitingFor } from '../core/states.js';
import type { Db } from './database/connection.js';
import { toJsonText } from './database/json-text.js';
import { prepared } from './database/prepared.js';

/** A start as PostgreSQL writes it as JSON. */
export interface RunStartRow {
  readonly name: string;
  readonly type: string;
  readonly media_type: string | null;
  readonly size_bytes: number | null;
  readonly text_bytes: number | null;
  readonly source_ready: boolean;
  readonly steps: readonly (StepSnapshot & {
    readonly status: StepStatus;
    readonly is_active: boolean | null;
  })[];
}

/** An expression for the bytes of the text that the steps of a run of the resource `r` work on. */
const textBytes = `(
  select max(a.size_bytes) from artifacts a where a.resource_id = r.id and a.type = 'text')`;

/** An expression for the start that a row of the outbox stands for; null: its run is over, or its resource gone. */
export const runStartOfOutbox = `(
  select json_build_object('name', r.name, 'type', r.type, 'media_type', r.media_type, 'size_bytes', r.size_bytes,
    'text_bytes', ${textBytes}, 'source_ready', u.source_ready, 'steps', (
    select json_agg(json_build_object('index', s.index, 'plugin_id', s.plugin_id, 'kind', s.kind,
        'task_queue', s.task_queue, 'activity_type', s.activity_type, 'endpoint', s.endpoint,
        'heartbeat_seconds', s.heartbeat_seconds, 'max_attempts', s.max_attempts,
        'backoff_seconds', s.backoff_seconds, 'timeout_seconds', s.timeout_seconds,
        'status', s.status, 'is_active', p.is_active) order by s.index)
    from steps s left join plugins p on p.id = s.plugin_id
    where s.resource_id = u.resource_id and s.run = u.run))
  from resources r join runs u on u.resource_id = r.id
  where outbox.kind = 'START' and r.id = outbox.resource_id and u.run = outbox.run and u.status = 'PROCESSING')`;

/** Core's own workers check in the tables what they are asked for. */
function isRunByCore(step: StepSnapshot): boolean {
  return step.kind === 'http' || step.task_queue === coreTaskQueue;
}

/** What such an expression gave. */
export function toRunStart({ name, type, source_ready: isReady, steps, ...input }: RunStartRow): RunStart {
  const first = steps.find((step) => step.status !== 'COMPLETED');
  const mayBegin = isReady && first?.status === 'PENDING' && first.is_active === true && isRunByCore(first);
  const snapshot = steps.map(({ status: _status, is_active: _active, ...step }) => step);
  const queue = first === undefined ? null : readingQueueOf(first, toStepInput({ name, ...input }));
  return { name, type, steps: snapshot, begins: mayBegin ? first.index : null, queue };
}

type StepInputRow = Pick<RunStartRow, 'name' | 'media_type' | 'size_bytes' | 'text_bytes'>;

const toStepInput = ({ name, media_type, size_bytes, text_bytes }: StepInputRow): StepInput => ({
  ...{ name, mediaType: media_type, sizeBytes: size_bytes, textBytes: text_bytes },
});

const readStepInput = prepared<StepInputRow>(
  'read_step_input',
  `select r.name, r.media_type, r.size_bytes, ${textBytes} as text_bytes from resources r where r.id = ?`,
);

/** Where a step waits for a child process, by what it works on. Null: it needs none. */
export async function readingQueue(
  db: Db,
  step: Pick<StepSnapshot, 'task_queue' | 'activity_type'> & { readonly resource_id: string },
): Promise<ReadingQueue | null> {
  if (!isReader(step)) return null;
  const [input] = await readStepInput(db, [step.resource_id]);
  return input === undefined ? null : readingQueueOf(step, toStepInput(input));
}

const note = prepared(
  'note_started',
  `with sent as (delete from outbox where id = ? returning resource_id, run)
   update steps s set status = 'RUNNING', attempt = 1, started_at = now(), waiting_for = ?
   from sent join runs u on u.resource_id = sent.resource_id and u.run = sent.run and u.status = 'PROCESSING'
   where s.resource_id = sent.resource_id and s.run = sent.run and s.index = ? and s.status = 'PENDING'`,
);

/**
 * Removes the message of a start that Temporal has acknowledged, and has the step that the run begins with be RUNNING:
 * PENDING → RUNNING, unless its worker was quicker.
 */
export async function noteStarted(
  db: Db,
  message: number,
  { steps, begins, queue }: RunStart,
): Promise<void> {
  const first = steps.find((step) => step.index === begins);
  const waitingFor = first === undefined ? null : waitingForWorker(first, queue);
  await note(db, [message, toJsonText(waitingFor), begins ?? -1]);
}

/** A step of an activity plugin waits for a worker until one claims it; Core's own workers deliver HTTP steps. */
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
