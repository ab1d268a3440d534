import { mapInTurns } from '../../core/in-turns.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import type { StepSnapshot } from '../../core/runs/run-protocol.js';
import type {
  AttemptOutcome,
  ResourceError,
  RunStatus,
  StepError,
  StepProgress,
  StepStatus,
  WaitingFor,
} from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { fromJsonText, fromJsonTime, type JsonRow } from '../database/json-text.js';

export interface Run {
  readonly resource_id: string;
  readonly run: number;
  readonly status: RunStatus;
  readonly workflow_id: string;
  /** Whether the bytes of the source are available: uploaded, or fetched by this run or the one it resumes. */
  readonly source_ready: boolean;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly error: ResourceError | null;
}

export interface Step extends StepSnapshot {
  readonly resource_id: string;
  readonly run: number;
  readonly status: StepStatus;
  /** The number of the newest attempt; 0 before the first. */
  readonly attempt: number;
  /** Attempts up to this number are used up. */
  readonly attempt_base: number;
  /** Number of attempts that a clean shutdown of a worker interrupted or lost; each allows one more attempt. */
  readonly interruptions: number;
  readonly retry_at: Date | null;
  readonly started_at: Date | null;
  /** When a worker started the newest attempt; null if none has, and for activities that do not claim attempts. */
  readonly attempt_started_at: Date | null;
  /** Seconds from the step's start to that of its first attempt; null if none has started. */
  readonly queue_seconds: number | null;
  /** Total seconds of all attempts, once the step has ended; null before that, or if no attempt was claimed. */
  readonly run_seconds: number | null;
  readonly finished_at: Date | null;
  readonly progress: StepProgress | null;
  readonly error: StepError | null;
  readonly waiting_for: WaitingFor | null;
}

/**
 * Who settled an attempt. REPORT: its worker reported the outcome; CORE: the run itself, or an activity of Core that
 * then tells it; SWEEP: a sweep of Core, and the run must be told.
 */
export type SettledBy = 'REPORT' | 'CORE' | 'SWEEP';

export interface Attempt {
  readonly resource_id: string;
  readonly run: number;
  readonly step_index: number;
  readonly number: number;
  readonly max: number;
  readonly started_at: Date;
  readonly deadline: Date;
  readonly outcome: AttemptOutcome | null;
  readonly settled_by: SettledBy | null;
  readonly settled_at: Date | null;
  readonly report_hash: string | null;
  /** Of an open attempt: why Temporal has given it up; its worker may still settle it before the deadline. */
  readonly error: StepError | null;
  readonly retryable: boolean | null;
  readonly retry_after_seconds: number | null;
  /** When its worker counts as lost without a further heartbeat; null if it need not send any. */
  readonly silent_at: Date | null;
}

export type RunRow = Omit<Run, 'error'> & { readonly error: string | null };
export type StepRow = Omit<Step, 'progress' | 'error' | 'waiting_for'> &
  Record<'progress' | 'error' | 'waiting_for', string | null>;
export type AttemptRow = Omit<Attempt, 'error'> & { readonly error: string | null };
const fromRunRow = (row: RunRow): Run => ({ ...row, error: fromJsonText(row.error) });

/** Converts a run row that PostgreSQL returned as JSON. */
export function runFromJson(row: JsonRow<RunRow>): Run {
  const { started_at, finished_at, cancel_requested_at } = row;
  return fromRunRow({
    ...row,
    started_at: new Date(started_at),
    finished_at: fromJsonTime(finished_at),
    cancel_requested_at: fromJsonTime(cancel_requested_at),
  });
}

const fromStepRow = (row: StepRow): Step => ({
  ...row,
  progress: fromJsonText(row.progress),
  error: fromJsonText(row.error),
  waiting_for: fromJsonText(row.waiting_for),
});

/** Converts a step row that PostgreSQL returned as JSON. */
export function stepFromJson(row: JsonRow<StepRow>): Step {
  const { retry_at, started_at, attempt_started_at, finished_at } = row;
  return fromStepRow({
    ...row,
    retry_at: fromJsonTime(retry_at),
    started_at: fromJsonTime(started_at),
    attempt_started_at: fromJsonTime(attempt_started_at),
    finished_at: fromJsonTime(finished_at),
  });
}

/** Converts an attempt row. */
export const fromAttemptRow = (row: AttemptRow): Attempt => ({ ...row, error: fromJsonText(row.error) });

/** Converts an attempt row that PostgreSQL returned as JSON. */
export function attemptFromJson(row: JsonRow<AttemptRow>): Attempt {
  const { started_at, deadline, settled_at, silent_at } = row;
  return fromAttemptRow({
    ...row,
    started_at: new Date(started_at),
    deadline: new Date(deadline),
    settled_at: fromJsonTime(settled_at),
    silent_at: fromJsonTime(silent_at),
  });
}

/** The maximum number of attempts of a step, including one more for each interrupted or lost attempt. */
export function attemptsAllowed(step: Pick<Step, 'max_attempts' | 'interruptions'>): number {
  return step.max_attempts + step.interruptions;
}

/** One run, or null. */
export async function findRun(db: Db, resourceId: string, run: number): Promise<Run | null> {
  const row: RunRow | undefined = await db('runs').where({ resource_id: resourceId, run }).first();
  return row ? fromRunRow(row) : null;
}

/** The runs of a resource, newest first, each with its steps in order, all read in one snapshot. */
export async function listRuns(
  db: Db,
  resourceId: string,
  page: { readonly limit: number; readonly before: number | null },
): Promise<(Run & { readonly steps: readonly Step[] })[]> {
  const steps = `(select json_agg(s order by s.index) from steps s
    where s.resource_id = r.resource_id and s.run = r.run) as steps`;
  const query = db('runs as r').select('r.*', db.raw(steps)).where('r.resource_id', resourceId);
  if (page.before !== null) void query.where('r.run', '<', page.before);
  const rows: (RunRow & { readonly steps: readonly JsonRow<StepRow>[] | null })[] = await query
    .orderBy('r.run', 'desc')
    .limit(page.limit);
  return await mapInTurns(rows, ({ steps, ...row }) => ({
    ...fromRunRow(row),
    steps: (steps ?? []).map(stepFromJson),
  }));
}

/** The steps of a run, in order. */
export async function listSteps(db: Db, resourceId: string, run: number): Promise<Step[]> {
  const rows: StepRow[] = await db('steps').where({ resource_id: resourceId, run }).orderBy('index');
  return rows.map(fromStepRow);
}

/** One step, or null. */
export async function findStep(db: Db, resourceId: string, run: number, index: number): Promise<Step | null> {
  const row: StepRow | undefined = await db('steps').where({ resource_id: resourceId, run, index }).first();
  return row ? fromStepRow(row) : null;
}

/** One attempt, or null. */
export async function findAttempt(db: Db, ref: AttemptRef): Promise<Attempt | null> {
  const row: AttemptRow | undefined = await db('attempts')
    .where({ resource_id: ref.resourceId, run: ref.run, step_index: ref.stepIndex, number: ref.attempt })
    .first();
  return row ? fromAttemptRow(row) : null;
}

/**
 * Raises the step's displayed attempt number to that of its pending activity, unless the step has finished or its
 * attempts are now counted from another base.
 */
export async function noteAttempt(
  db: Db,
  { resource_id, run, index, attempt_base }: Pick<Step, 'resource_id' | 'run' | 'index' | 'attempt_base'>,
  attempt: number,
): Promise<void> {
  await db('steps')
    .where({ resource_id, run, index, attempt_base })
    .where('attempt', '<', attempt)
    .whereIn('status', ['RUNNING', 'RETRYING'])
    .update({ attempt });
}

/** Updates the progress of a running step. */
export async function writeProgress(
  db: Db,
  step: Omit<AttemptRef, 'attempt'>,
  progress: StepProgress,
): Promise<void> {
  await db('steps')
    .where({ resource_id: step.resourceId, run: step.run, index: step.stepIndex })
    .whereIn('status', ['RUNNING', 'RETRYING'])
    .update({ progress: JSON.stringify(progress) });
}

/** Leases reports whose signal is due for `leaseSeconds`, so that they are due again if the sender dies. */
export async function leaseSignals(
  db: Db,
  options: { limit: number; leaseSeconds: number },
): Promise<AttemptRef[]> {
  const result: { rows: AttemptRef[] } = await db.raw(
    `update attempts set signal_due_at = now() + make_interval(secs => ?)
     where (resource_id, run, step_index, number) in (
       select resource_id, run, step_index, number from attempts
       where signal_due_at <= now() order by signal_due_at limit ? for update skip locked
     )
     returning resource_id as "resourceId", run, step_index as "stepIndex", number as attempt`,
    [options.leaseSeconds, options.limit],
  );
  return result.rows;
}

/** Records that Temporal accepted the signal of a report, or that there is no run left to signal. */
export async function signalSent(db: Db, ref: AttemptRef): Promise<void> {
  const { resourceId, run, stepIndex, attempt } = ref;
  await db('attempts')
    .where({ resource_id: resourceId, run, step_index: stepIndex, number: attempt })
    .whereNotNull('signal_due_at')
    .update({ signal_due_at: null });
}

/** The number of unfinished steps of active runs, by plugin and status. */
export async function countUnfinishedSteps(
  db: Db,
): Promise<{ plugin_id: string; status: StepStatus; count: number }[]> {
  const { rows } = await db.raw<{ rows: { plugin_id: string; status: StepStatus; count: number }[] }>(
    // Steps after a failed one stay PENDING although their run has ended.
    `select s.plugin_id, s.status, count(*) from steps s
     join runs r on r.resource_id = s.resource_id and r.run = s.run and r.status = 'PROCESSING'
     where s.status in ('PENDING', 'RUNNING', 'RETRYING') group by s.plugin_id, s.status`,
  );
  return rows;
}
