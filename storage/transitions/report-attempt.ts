import { ServiceError } from '../../core/errors.js';
import type { Instruction } from '../../core/runs/run-protocol.js';
import type { StepError } from '../../core/states.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import { upsertArtifacts, type StoredArtifact } from '../artifacts.js';
import type { Db } from '../database/connection.js';
import { lockResource, type Resource } from '../resources/resources.js';
import { readRunState, withCompleted } from '../runs/run-state.js';
import {
  attemptsAllowed,
  findAttempt,
  findRun,
  writeProgress,
  type Attempt,
  type Run,
  type Step,
} from '../runs/runs.js';
import { takeUploads, type ExpectedUpload } from '../uploads.js';
import { pauseAfter } from './follow-attempt.js';
import { nextInstruction } from './next-instruction.js';
import { settleAttempt } from './attempt-writes.js';
import { completeStep, markStepRetrying } from './status-writes.js';

/** The outcome of an attempt as reported by its worker. */
export type Outcome =
  | {
      readonly kind: 'SUCCESS';
      readonly artifacts: readonly StoredArtifact[];
      /** Artifacts whose content was uploaded before. */
      readonly uploads?: readonly ExpectedUpload[];
    }
  | FailedAttempt;

/** How an attempt failed, and whether and when another one may follow. */
export interface FailedAttempt {
  readonly kind: 'FAILURE';
  readonly error: StepError;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** Whether Core detected that the attempt timed out. */
  readonly timedOut: boolean;
}

export interface ReportOptions {
  /** Identifies duplicate reports; omitted by Core itself. */
  readonly reportHash?: string;
  /** REPORT: reported by the worker; CORE: Core saw the attempt fail. */
  readonly settledBy: 'REPORT' | 'CORE';
  /** Whether the caller itself wakes the workflow, because the activity it runs in is about to end. */
  readonly awaited: boolean;
  /**
   * The base of the URLs in an instruction, if the caller passes the next instruction on; if omitted, the run asks for
   * it.
   */
  readonly coreUrl?: string;
}

export interface Reported {
  readonly duplicate: boolean;
  readonly cancelRequested: boolean;
  readonly step: Step;
  /** What the run does after this success; null if it must ask. */
  readonly next: Instruction | null;
}

/** The sweeper signals the workflow this many seconds after it should have noticed the outcome by itself. */
const signalAfterSeconds = { http: 2, activity: 5 } as const;

/** The ATTEMPT_CLOSED error for an attempt that is settled or no longer exists. */
export function attemptClosed(attempt: Attempt | null): ServiceError {
  const outcome = attempt?.outcome ?? 'SUPERSEDED';
  const reason = outcome === 'SUCCESS' || outcome === 'FAILURE' ? 'SETTLED' : outcome;
  return new ServiceError('ATTEMPT_CLOSED', `This attempt is closed: ${reason}.`, { reason });
}

/**
 * Settles an attempt with its worker's report and writes the artifacts, in one transaction. An identical report of the
 * attempt is a duplicate and changes nothing. Throws NOT_FOUND if the resource is deleted, ATTEMPT_CLOSED if the
 * attempt was settled with another outcome, VALIDATION_FAILED for an upload of another attempt; the attempt then stays
 * open.
 */
export async function reportAttempt(
  db: Db,
  ref: AttemptRef,
  outcome: Outcome,
  options: ReportOptions,
): Promise<Reported> {
  return await db.transaction(async (trx) => {
    const resource = await lockResource(trx, ref.resourceId);
    if (resource === null) throw resourceDeleted();
    const run = await readRunState(trx, ref.resourceId, ref.run);
    const step = run?.steps.find(({ index }) => index === ref.stepIndex);
    const isNewest = step?.newest?.number === ref.attempt;
    const attempt = isNewest ? step.newest : await findAttempt(trx, ref);
    if (attempt === null || step === undefined || run === null) throw attemptClosed(attempt);
    if (attempt.outcome !== null) {
      if (options.reportHash !== undefined && attempt.report_hash === options.reportHash) {
        return { duplicate: true, cancelRequested: false, step, next: null };
      }
      throw attemptClosed(attempt);
    }
    const cancelRequested = run.cancel_requested_at !== null;
    const { coreUrl, reportHash } = options;
    const isWatched = !isGivenUp(attempt);
    const mayGoOn = isWatched && isNewest && step.status === 'RUNNING' && goesOn(run, resource);
    if (outcome.kind === 'SUCCESS' && mayGoOn && coreUrl !== undefined) {
      // Does in this transaction what the run would do when it learns that the step succeeded.
      await takeArtifacts(trx, step, ref, outcome);
      await completeStep(trx, step, ref.attempt, reportHash);
      const next = await nextInstruction(trx, withCompleted(run, step.index), coreUrl);
      return { duplicate: false, cancelRequested, step, next };
    }
    await settle(trx, step, attempt, ref, outcome, options);
    return { duplicate: false, cancelRequested, step, next: null };
  });
}

/** Whether Temporal gave up an open attempt, so that its activity tells the run nothing (`awaitLastOutcome`). */
const isGivenUp = (attempt: Attempt): boolean => attempt.error !== null;

function goesOn(run: Run, resource: Resource): boolean {
  return run.status === 'PROCESSING' && run.run === resource.run && run.cancel_requested_at === null;
}

async function takeArtifacts(
  trx: Db,
  step: Step,
  ref: AttemptRef,
  outcome: Extract<Outcome, { kind: 'SUCCESS' }>,
): Promise<void> {
  const uploaded = await takeUploads(trx, ref, outcome.uploads ?? []);
  await upsertArtifacts(trx, step, [...outcome.artifacts, ...uploaded]);
}

async function settle(
  trx: Db,
  step: Step,
  attempt: Attempt,
  ref: AttemptRef,
  outcome: Outcome,
  options: ReportOptions,
): Promise<void> {
  const number = ref.attempt;
  const failure = outcome.kind === 'FAILURE' ? outcome : undefined;
  const isRetried = failure?.retryable === true && number < attemptsAllowed(step);
  const pauseSeconds = isRetried ? pauseAfter(step, failure.retryAfterSeconds) : 0;
  // The caller of a callback signals the workflow of an HTTP step after its commit. An activity ends by itself; if it
  // is retried, Temporal makes the pause, and the run need not notice before the next attempt is due. The run itself
  // makes only a pause longer than the step's backoff, unless the worker has told Temporal too.
  const isByTemporal = step.kind === 'activity' && pauseSeconds <= step.backoff_seconds;
  const isUnwatched = isGivenUp(attempt);
  const signalAfter = isUnwatched ? 0 : signalAfterSeconds[step.kind] + (isByTemporal ? pauseSeconds : 0);
  await settleAttempt(trx, step, number, {
    outcome: failure?.timedOut === true ? 'TIMED_OUT' : outcome.kind,
    settled_by: options.settledBy,
    report_hash: options.reportHash,
    signalAfterSeconds: options.awaited && !isUnwatched ? undefined : signalAfter,
    error: failure?.error,
    retryable: failure?.retryable,
    retry_after_seconds: failure?.retryAfterSeconds,
  });
  if (outcome.kind === 'SUCCESS') {
    await takeArtifacts(trx, step, ref, outcome);
    await clearWaiting(trx, step);
  } else if (isRetried) {
    await markStepRetrying(trx, step, { attempt: number, error: failure.error, pauseSeconds });
  }
}

async function clearWaiting(trx: Db, step: Step): Promise<void> {
  // For HTTP steps, the 202 is recorded without the lock, possibly at this moment.
  if (step.kind === 'activity' && step.waiting_for === null) return;
  await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .update({ waiting_for: null });
}

/**
 * Records the progress of an open attempt. Returns whether its cancellation was requested.
 * Throws NOT_FOUND if the resource is deleted, ATTEMPT_CLOSED if the attempt is closed.
 */
export async function reportProgress(
  db: Db,
  ref: AttemptRef,
  progress: { readonly fraction: number | null; readonly message: string | null },
): Promise<{ cancelRequested: boolean }> {
  const { attempt, cancelRequested } = await readOpenAttempt(db, ref);
  await writeProgress(db, ref, progress);
  if (attempt.silent_at !== null) await extendHeartbeat(db, ref);
  return { cancelRequested };
}

/** Reads an open attempt. Throws NOT_FOUND if the resource is deleted, ATTEMPT_CLOSED if the attempt is closed. */
export async function readOpenAttempt(
  db: Db,
  ref: AttemptRef,
): Promise<{ readonly attempt: Attempt; readonly cancelRequested: boolean }> {
  const [attempt, run] = await Promise.all([findAttempt(db, ref), findRun(db, ref.resourceId, ref.run)]);
  if (run === null) throw resourceDeleted();
  if (attempt?.outcome !== null) throw attemptClosed(attempt);
  return { attempt, cancelRequested: run.cancel_requested_at !== null };
}

/** Extends the heartbeat timeout of an open attempt after a heartbeat. */
async function extendHeartbeat(db: Db, ref: AttemptRef): Promise<void> {
  await openAttemptQuery(db, ref).update({
    silent_at: db.raw(
      `now() + make_interval(secs => (select heartbeat_seconds from steps s
         where s.resource_id = ? and s.run = ? and s.index = ?))`,
      [ref.resourceId, ref.run, ref.stepIndex],
    ),
  });
}

/**
 * Records that an HTTP worker accepted the step and will report before the attempt's deadline. From now on it must send
 * heartbeats as often as its plugin declares. If Temporal gave up the delivery before, the attempt gets its time back.
 */
export async function awaitCallback(
  db: Db,
  ref: AttemptRef,
  step: Pick<Step, 'heartbeat_seconds' | 'timeout_seconds'>,
): Promise<void> {
  const { resourceId: resource_id, run, stepIndex: index, attempt } = ref;
  await openAttemptQuery(db, ref).update({
    accepted_at: db.fn.now(),
    error: null,
    deadline: db.raw('greatest(deadline, started_at + make_interval(secs => ?))', [step.timeout_seconds]),
  });
  if (step.heartbeat_seconds !== null) await extendHeartbeat(db, ref);
  await db('steps')
    .where({ resource_id, run, index, attempt, status: 'RUNNING' })
    .whereExists(openAttemptQuery(db, ref).select(db.raw('1')))
    .update({
      waiting_for: db.raw(
        `(select json_build_object('kind', 'callback',
            'until', to_char(a.deadline at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'task_queue', null, 'message', 'The worker accepted the step and must report.')::text
          from attempts a where a.resource_id = ? and a.run = ? and a.step_index = ? and a.number = ?)`,
        [resource_id, run, index, attempt],
      ),
    });
}

function openAttemptQuery(db: Db, ref: AttemptRef): ReturnType<Db['queryBuilder']> {
  return db('attempts')
    .where({ resource_id: ref.resourceId, run: ref.run, step_index: ref.stepIndex, number: ref.attempt })
    .whereNull('outcome');
}

function resourceDeleted(): ServiceError {
  return new ServiceError('NOT_FOUND', 'The resource was deleted.');
}
