import { coreTaskQueue } from '../../core/runs/run-protocol.js';
import { Deadline } from '../../core/deadline.js';
import { ServiceError, validationFailed } from '../../core/errors.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import { listInputs, type Artifact } from '../artifacts.js';
import type { Db } from '../database/connection.js';
import { lockExisting, type Resource } from '../resources/resources.js';
import { isAtWork, readRunState, type StepState } from '../runs/run-state.js';
import { attemptsAllowed, type Attempt, type Step } from '../runs/runs.js';
import { forgetSignals, supersedeAttempts } from './attempt-writes.js';
import { isDecided, spendAttempts } from './follow-attempt.js';
import { openAttempt } from './status-writes.js';

/** An opened attempt, with everything its worker is told. */
export interface OpenedAttempt {
  readonly resource: Resource;
  readonly step: Step;
  readonly attempt: Attempt;
  /** The attempt's deadline, on this process's own clock. */
  readonly deadline: Deadline;
  readonly inputs: readonly Artifact[];
  /** The number of the attempt just before it, if that was open until now; otherwise null. */
  readonly replaced: number | null;
}

/** The input with which one of Core's own claiming activities was scheduled. */
export interface ScheduledStep {
  readonly attemptBase: number;
  /** The activity type of a built-in plugin; null if the activity delivers the step to an HTTP plugin. */
  readonly activityType: string | null;
}

/** The caller that claims an attempt. */
export interface Claimant {
  /** The plugins that the caller may claim for; null means all. */
  readonly plugins: readonly string[] | null;
  /** For one of Core's own activities: its scheduled input. */
  readonly scheduled?: ScheduledStep;
  /** For a plugin's own worker, which chooses what it claims. */
  readonly worker?: {
    /** Temporal's highest attempt number of this run's activity; 0 without one, null if unknown. */
    readonly newestOfTemporal: number | null;
  };
}

/**
 * Opens an attempt and closes earlier open ones. Returns null if there is nothing left to do: the attempt or the step
 * is settled, a newer attempt was claimed, or the run has ended or is being cancelled. Throws NOT_FOUND if the resource
 * or step does not exist; FORBIDDEN if the step is another plugin's, or for an activity that no run can have scheduled;
 * VALIDATION_FAILED if a worker claims a step that is delivered by HTTP, or an attempt that the run cannot have
 * reached; TEMPORAL_UNAVAILABLE if only Temporal knows whether a worker's claim is late or past the
 * last attempt.
 */
export async function claimAttempt(
  db: Db,
  ref: AttemptRef,
  { plugins, worker, scheduled }: Claimant,
): Promise<OpenedAttempt | null> {
  return await db.transaction(async (trx) => {
    const resource = await lockExisting(trx, ref.resourceId);
    const run = await readRunState(trx, ref.resourceId, ref.run);
    const step = run?.steps.find(({ index }) => index === ref.stepIndex);
    if (run === null || step === undefined)
      throw new ServiceError('NOT_FOUND', 'The run or its step does not exist.');
    if (plugins !== null && !plugins.includes(step.plugin_id)) {
      throw new ServiceError('FORBIDDEN', `This step belongs to the plugin ${step.plugin_id}.`);
    }
    if (worker !== undefined && step.kind === 'http') {
      const message = `is a step of the HTTP plugin ${step.plugin_id}: Core posts it to its endpoint, so it cannot be claimed`;
      throw validationFailed({ path: '/step_index', message });
    }
    const ended = run.status !== 'PROCESSING' || resource.run !== run.run || run.cancel_requested_at !== null;
    if (ended || !isAtWork(run, step)) return null;
    const mayClaim = mayOpen(step, ref.attempt);
    if (!mayClaim && !mayBeReset(step, ref.attempt)) return null;
    if (scheduled !== undefined) mustBeScheduled(step, scheduled);
    if (!mayClaim) {
      await skipUsedNumbers(trx, step, ref.attempt, worker);
      return null;
    }
    const furthest = worker === undefined ? Infinity : furthestAttempt(step, worker.newestOfTemporal);
    if (ref.attempt > furthest) {
      if (worker?.newestOfTemporal === null) throw temporalIsSilent();
      const message = `is beyond ${furthest}, the last attempt that this step can have reached`;
      throw validationFailed({ path: '/attempt', message });
    }

    if (step.newest !== null) await supersedeAttempts(trx, step, ref.attempt);
    const attempt = (await openAttempt(trx, step, ref.attempt)) ?? step.newest;
    if (attempt === null) throw new Error('The attempt was neither opened nor found.');
    await forgetSignals(trx, step);
    const inputs = await listInputs(trx, ref.resourceId, ref.run, ref.stepIndex);
    const deadline = new Deadline(attempt.deadline.getTime() - run.now.getTime());
    const { newest } = step;
    // Temporal knows only the error of the attempt just before, so the error of an earlier one is not requested.
    const isReplacing = newest?.outcome === null && newest.number === attempt.number - 1;
    return { resource, step, attempt, deadline, inputs, replaced: isReplacing ? newest.number : null };
  });
}

function mustBeScheduled(step: StepState, scheduled: ScheduledStep): void {
  const isStep =
    scheduled.activityType === null
      ? step.kind === 'http'
      : step.task_queue === coreTaskQueue && step.activity_type === scheduled.activityType;
  // Temporal's own count is not limited here: an activity that was paused in its last attempt gets another one.
  if (!isStep || scheduled.attemptBase > step.attempt_base)
    throw new ServiceError('FORBIDDEN', 'The run has not scheduled this attempt.');
}

/**
 * Returns the highest number that an attempt of a step can have now. Temporal counts from the attempts used up when it
 * scheduled the activity, and these are at most the attempts claimed until now. Its own count may exceed the attempts
 * allowed: an activity that was paused in its last attempt gets another one.
 */
function furthestAttempt(step: StepState, newestOfTemporal: number | null): number {
  const allowed = attemptsAllowed(step);
  if (newestOfTemporal === null) return allowed;
  const claimed = Math.max(step.attempt_base, step.newest?.number ?? 0);
  return Math.max(
    Math.min(allowed, claimed + Math.max(1, newestOfTemporal)),
    step.attempt_base + newestOfTemporal,
  );
}

/**
 * Whether a claim is older than the newest one, whose attempt failed without an outcome in its row or may still run.
 * Such a claim comes late, or an operator reset the activity: Temporal then counts its attempts from one again.
 */
function mayBeReset({ kind, newest, attempt_base }: StepState, number: number): boolean {
  if (newest === null || number > newest.number || newest.number <= attempt_base) return false;
  // An HTTP worker may still report an open attempt.
  return newest.outcome === 'SUPERSEDED' || (newest.outcome === null && kind === 'activity');
}

/**
 * Makes the run schedule a step again after its newest attempt. The activity that made the claim has done nothing, so
 * its result must not count as the step's.
 */
async function skipUsedNumbers(
  trx: Db,
  step: StepState,
  number: number,
  worker: Claimant['worker'],
): Promise<void> {
  const newest = step.newest?.number ?? 0;
  if (worker !== undefined) {
    const { newestOfTemporal } = worker;
    if (newestOfTemporal === null) throw temporalIsSilent();
    // A late claim is not for the attempt that Temporal has now.
    if (step.attempt_base + newestOfTemporal !== number) return;
  }
  await spendAttempts(trx, step, newest, { interrupted: true });
}

const temporalIsSilent = (): ServiceError =>
  new ServiceError('TEMPORAL_UNAVAILABLE', 'Temporal did not say which attempt is the newest.');

function mayOpen(step: StepState, number: number): boolean {
  const { newest } = step;
  if (number <= step.attempt_base) return false;
  if (newest === null || newest.number < number) {
    if (newest?.outcome === 'SUCCESS') return false;
    if (newest !== null && isAwaitingWorkflow(step, newest)) return false;
    return newest?.outcome !== 'FAILURE' || newest.retryable !== false;
  }
  return newest.number === number && newest.outcome === null;
}

/** Whether a report or a sweep settled an HTTP worker's attempt and the workflow has not acted on it yet. */
function isAwaitingWorkflow(step: Step, newest: Attempt): boolean {
  return step.kind === 'http' && isDecided(newest) && newest.number > step.attempt_base;
}
