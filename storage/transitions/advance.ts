import {
  type AttemptFailure,
  type Instruction,
  type RunEvent,
  type StepSnapshot,
} from '../../core/runs/run-protocol.js';
import type { RunRef } from '../../core/runs/refs.js';
import { isRunByCore } from '../../core/runs/next-step.js';
import { areSameSteps } from '../../core/runs/run-input.js';
import { ServiceError } from '../../core/errors.js';
import type { StepError } from '../../core/states.js';
import { fitDetails } from '@knowledge-warehouse/plugin/protocol';
import { upsertArtifacts, type StoredArtifact } from '../artifacts.js';
import type { Db } from '../database/connection.js';
import { enqueue } from '../outbox.js';
import { lockResource } from '../resources/resources.js';
import { waitingForWorker } from '../runs/run-starts.js';
import {
  isAtWork,
  isOngoing,
  readRunState,
  withCompleted,
  type RunState,
  type StepState,
} from '../runs/run-state.js';
import { attemptsAllowed, type Attempt, type Step } from '../runs/runs.js';
import { takeUploads, type ExpectedUpload } from '../uploads.js';
import { failStep, failureOf, isDecided, retryOrFail, spendAttempts } from './follow-attempt.js';
import { completeRun, nextInstruction } from './next-instruction.js';
import {
  addUnclaimed,
  awaitLastOutcome,
  extendLateDeadline,
  forgetSignals,
  settleAttempt,
  type Settlement,
} from './attempt-writes.js';
import {
  completeStep,
  markRunEnded,
  markStepAttempting,
  markStepCompleted,
  markStepRunning,
  markStepsCancelled,
} from './status-writes.js';

/**
 * The validated result of an activity: artifacts whose content is already stored, why it is rejected, or why its content
 * could not be stored, so that another attempt must return it again.
 */
export type CheckedResult =
  | { readonly artifacts: readonly StoredArtifact[]; readonly uploads: readonly ExpectedUpload[] }
  | { readonly invalid: StepError }
  | { readonly unstored: StepError };

export interface Advanced {
  readonly instruction: Instruction;
  /** Whether the artifacts of a result were recorded; if not, nothing refers to their objects. */
  readonly resultTaken: boolean;
}

/**
 * Records an event that a run's workflow observed, and returns what the workflow does next. The attempt's row takes
 * precedence: if it already has an outcome, that is followed, whatever the event says. Idempotent. Throws NOT_FOUND for
 * an unknown run, FORBIDDEN for steps that are not the run's.
 */
export async function advance(
  db: Db,
  ref: RunRef,
  event: RunEvent,
  options: {
    readonly coreUrl: string;
    readonly result?: CheckedResult | null;
    /** The snapshot that the workflow works with; it must match the run's. */
    readonly steps?: readonly StepSnapshot[] | undefined;
  },
): Promise<Advanced> {
  return await db.transaction(async (trx) => {
    const resource = await lockResource(trx, ref.resourceId);
    const run = resource === null ? null : await readRunState(trx, ref.resourceId, ref.run);
    if (run === null) throw new ServiceError('NOT_FOUND', 'Run not found.');
    if (options.steps !== undefined && !areSameSteps(run.steps, options.steps))
      throw new ServiceError('FORBIDDEN', 'These steps are not the steps of the run.');
    const isCurrent = resource !== null && run.status === 'PROCESSING' && resource.run === ref.run;
    const {
      resultTaken = false,
      undecided,
      state,
    }: Settled = isCurrent
      ? await settle(trx, run, event, options.result ?? null)
      : await followEnded(trx, run, event);
    if (undecided !== undefined) {
      return {
        instruction: {
          do: 'WAIT',
          index: undecided.index,
          attempt: undecided.attempt,
          remainingMs: undecided.newest === null ? 0 : remainingMs(undecided.newest, run),
        },
        resultTaken,
      };
    }
    const now = state ?? (await readRunState(trx, ref.resourceId, ref.run));
    return { instruction: await nextInstruction(trx, now, options.coreUrl), resultTaken };
  });
}

type StepEvent = Extract<RunEvent, { index: number }>;

/**
 * How often a plugin's own worker may interrupt a step free of charge. Nothing but its word shows that it was
 * interrupted, so without a limit the step could repeat without end.
 */
const freeInterruptions = 10;

interface Settled {
  readonly resultTaken?: boolean;
  /** The current step, if the event decided nothing: what is running continues. */
  readonly undecided?: StepState;
  /** The updated run, if it is known without another read. */
  readonly state?: RunState;
}

const decided: Settled = {};

/**
 * A run that was cancelled while its start was being sent is told so only now, since its workflow was unknown when the
 * request arrived. Without a request Temporal would record the run as failed.
 */
async function followEnded(trx: Db, run: RunState, event: RunEvent): Promise<Settled> {
  const isUnasked = run.cancel_requested_at === null && event.kind !== 'CANCEL';
  if (run.status === 'CANCELLED' && isUnasked) await enqueue(trx, 'CANCEL', run.resource_id, run.run);
  return decided;
}

async function settle(
  trx: Db,
  run: RunState,
  event: RunEvent,
  result: CheckedResult | null,
): Promise<Settled> {
  // Once cancellation is requested, any event ends the run.
  if (event.kind === 'CANCEL' || run.cancel_requested_at !== null) await cancelRun(trx, run);
  // A fetch that Temporal gave up may still have stored the source.
  else if (event.kind === 'FETCH_FAILED' && !run.source_ready)
    await failFetch(trx, run.resource_id, run.run, event.failure);
  else if (event.kind === 'BEGIN' || event.kind === 'FETCH_FAILED') return await followOngoingStep(trx, run);
  else return await settleStep(trx, run, event, result);
  return decided;
}

async function settleStep(
  trx: Db,
  run: RunState,
  event: StepEvent,
  result: CheckedResult | null,
): Promise<Settled> {
  const found = run.steps.find(({ index }) => index === event.index);
  if (found === undefined || !isAtWork(run, found)) return decided;
  const step = await begun(trx, found);
  await forgetSignals(trx, step);
  const attempt = step.newest;
  if (event.kind === 'REPORTED') {
    // Temporal retries a delivery that Core itself saw fail, unless the delivery has ended.
    const hasEnded = event.ended === true;
    if (hasEnded && isRecorded(step, event)) return decided;
    const isOver =
      attempt !== null &&
      (hasEnded ? attempt.outcome !== null : attempt.outcome === 'SUCCESS' || isDecided(attempt));
    if (!isOver) return { undecided: step };
    const isFollowed = (await followRow(trx, step, attempt)) || hasEnded || isRecorded(step, event);
    return isFollowed ? afterFollowing(run, attempt) : { undecided: step };
  }
  if (await followRow(trx, step, attempt)) return afterFollowing(run, attempt);
  if (isRecorded(step, event)) return decided;
  switch (event.kind) {
    case 'RETURNED':
      return (await takeResult(trx, step, attempt, result))
        ? { resultTaken: true, state: withCompleted(run, step.index) }
        : decided;
    case 'FAILED':
      await settleFailure(trx, step, attempt, event.failure);
      return decided;
    case 'DEADLINE':
      // The workflow's own timer may be wrong: it follows the result of an activity, which an operator can replace.
      if (attempt?.outcome === null && remainingMs(attempt, run) > 0) return { undecided: step };
      await settleDeadline(trx, step, attempt, event.attempt);
      return decided;
  }
}

/** Marks the event's step as started if it is not yet: its worker may be faster than that update. */
async function begun(trx: Db, step: StepState): Promise<StepState> {
  if (step.status !== 'PENDING') return step;
  await markStepRunning(trx, step, null);
  return { ...step, status: 'RUNNING', attempt: 1 };
}

/** A run that starts over (its history was lost, or it continued as new) first follows its rows. */
async function followOngoingStep(trx: Db, run: RunState): Promise<Settled> {
  const step = run.steps.find(isOngoing);
  if (step === undefined) return { state: run };
  await followRow(trx, step, step.newest);
  return decided;
}

/**
 * Does what the newest attempt's row says. Returns false if that attempt is still open, or the step has gone on from it.
 */
async function followRow(trx: Db, step: Step, attempt: Attempt | null): Promise<boolean> {
  if (attempt === null) return false;
  if (attempt.outcome === 'SUCCESS') {
    await markStepCompleted(trx, step, attempt.number);
    return true;
  }
  const hasFailed = attempt.outcome === 'FAILURE' || attempt.outcome === 'TIMED_OUT';
  if (!hasFailed && !isDecided(attempt)) return false;
  if (attempt.number > step.attempt_base || attempt.retryable === false) {
    // The pause begins when the attempt is settled, even if the run notices later.
    const isPausing = step.status === 'RETRYING' && step.retry_at !== null;
    await retryOrFail(trx, step, attempt.number, failureOf(attempt), { isPausing });
    return true;
  }
  return false;
}

/**
 * Whether the step has already gone on from what an event says: the answer was lost, or the event is late. An event
 * with an attempt base is compared by that: a step stays RETRYING until its next attempt is claimed, and not every
 * activity claims it.
 */
function isRecorded(step: StepState, event: StepEvent): boolean {
  const base = 'attemptBase' in event ? event.attemptBase : undefined;
  return base === undefined ? step.status === 'RETRYING' : base < step.attempt_base;
}

/** The run after following its step's newest attempt. */
function afterFollowing(run: RunState, attempt: Attempt | null): Settled {
  return attempt?.outcome === 'SUCCESS' ? { state: withCompleted(run, attempt.step_index) } : decided;
}

function remainingMs({ deadline }: Attempt, { now }: RunState): number {
  return Math.max(0, deadline.getTime() - now.getTime());
}

async function settleDeadline(trx: Db, step: Step, attempt: Attempt | null, number: number): Promise<void> {
  if (attempt?.number !== number || (await extendLateDeadline(trx, step, number))) return;
  const failure = failureOf({ ...attempt, outcome: 'TIMED_OUT' });
  await settleAttempt(trx, step, number, {
    outcome: 'TIMED_OUT',
    settled_by: 'CORE',
    error: failure.error,
  });
  await retryOrFail(trx, step, number, failure);
}

async function takeResult(
  trx: Db,
  step: Step,
  attempt: Attempt | null,
  result: CheckedResult | null,
): Promise<boolean> {
  const number = Math.max(attempt?.number ?? 0, step.attempt, step.attempt_base + 1);
  if (result !== null && 'invalid' in result) {
    await refuseResult(trx, step, attempt, result.invalid);
    return false;
  }
  if (result !== null && 'unstored' in result) {
    const failure = { ...result.unstored, attempt: null, retryable: true, exhausted: false };
    await settleFailure(trx, step, attempt, { ...failure, cause: 'ERROR' });
    return false;
  }
  const ref = { resourceId: step.resource_id, run: step.run, stepIndex: step.index, attempt: number };
  let uploaded: StoredArtifact[];
  try {
    uploaded = await takeUploads(trx, ref, result?.uploads ?? []);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, details } = error;
    await refuseResult(trx, step, attempt, { code: 'INVALID_RESULT', message, details });
    return false;
  }
  await upsertArtifacts(trx, step, [...(result?.artifacts ?? []), ...uploaded]);
  await completeStep(trx, step, number);
  return true;
}

/** Fails the step permanently: its activity returned an invalid result. */
async function refuseResult(trx: Db, step: Step, attempt: Attempt | null, error: StepError): Promise<void> {
  const number = Math.max(attempt?.number ?? 0, step.attempt, step.attempt_base + 1);
  await settleEnded(trx, step, attempt, number, {
    outcome: 'FAILURE',
    settled_by: 'CORE',
    error,
    retryable: false,
  });
  await failStep(trx, step, number, error);
}

async function settleFailure(
  trx: Db,
  step: Step,
  attempt: Attempt | null,
  failure: AttemptFailure,
): Promise<void> {
  const allowed = attemptsAllowed(step);
  const seen = Math.max(attempt?.number ?? 0, step.attempt, step.attempt_base + 1);
  const last = Math.max(seen, allowed);
  const given = failure.attempt ?? 0;
  // A worker may name any number; one that the step cannot have reached is ignored.
  const isPossible = given > step.attempt_base && given <= last;
  const number = isPossible ? given : failure.exhausted ? last : seen;
  const isInterrupted = failure.cause === 'INTERRUPTED';
  const isFree = isInterrupted && (isRunByCore(step) || step.interruptions < freeInterruptions);
  if (isFree || wasNeverBegun(step, attempt, number, failure)) {
    await spendAttempts(trx, step, number, { interrupted: true });
    await markStepAttempting(trx, step, { attempt: number + 1, waitingFor: waitingForWorker(step) });
    return;
  }
  // An activity may throw details that a failure report would not be allowed to contain.
  const details = fitDetails(failure.details);
  const error: StepError = isInterrupted
    ? { code: 'STEP_FAILED', message: describeInterruption(failure.message), details }
    : { code: failure.code, message: failure.message, details };
  // The worker of a last attempt may be alive and about to settle it: on a busy machine, heartbeats are late too.
  if (hasFallenSilent(step, failure) && failure.exhausted && attempt?.outcome === null) {
    await awaitLastOutcome(trx, step, attempt.number, error);
    return;
  }
  await settleEnded(trx, step, attempt, number, {
    outcome: failure.cause === 'TIMED_OUT' ? 'TIMED_OUT' : 'FAILURE',
    settled_by: 'CORE',
    error,
    retryable: isInterrupted || failure.retryable,
  });
  // Temporal also counts attempts that were lost before they began. After one that began, the rows decide how many
  // follow.
  const isCounted = isRunByCore(step) && attempt?.outcome === null;
  const retryable = isInterrupted || (failure.retryable && (isCounted || !failure.exhausted));
  await retryOrFail(trx, step, number, { error, retryable, retryAfterSeconds: null });
}

/** Settles the attempt whose activity has ended: the open one, or else one that was never claimed. */
async function settleEnded(
  trx: Db,
  step: Step,
  newest: Attempt | null,
  number: number,
  settlement: Settlement,
): Promise<void> {
  const isOpen = newest?.outcome === null;
  if (!isOpen) await addUnclaimed(trx, step, number);
  await settleAttempt(trx, step, isOpen ? newest.number : number, settlement);
}

function describeInterruption(message: string): string {
  const why = `The worker interrupted the attempt: ${message}`.replace(/[.\s]*$/, '.');
  return `${why} The attempt counts toward the maximum, because the step was interrupted ${freeInterruptions} times before.`;
}

/** Whether Core's own activity was lost before it opened its attempt. Like an interrupted attempt, it is not counted. */
function wasNeverBegun(step: Step, newest: Attempt | null, number: number, failure: AttemptFailure): boolean {
  return hasFallenSilent(step, failure) && (newest?.number ?? 0) < number;
}

/** Whether Temporal missed the heartbeats of one of Core's own activities. */
function hasFallenSilent(step: Step, failure: AttemptFailure): boolean {
  return isRunByCore(step) && failure.code === 'HEARTBEAT_TIMED_OUT';
}

async function failFetch(trx: Db, resourceId: string, run: number, failure: AttemptFailure): Promise<void> {
  await markRunEnded(trx, resourceId, run, {
    status: 'FAILED',
    error: { code: failure.code, message: failure.message, step: null },
  });
}

/**
 * Cancels a run. A success that was reported before still counts; if it was the last step's, the run is completed. The
 * caller holds the lock on the resource.
 */
export async function cancelRun(trx: Db, { resource_id: resourceId, run, steps }: RunState): Promise<void> {
  const current = steps.find(isOngoing);
  const attempt = current?.newest ?? null;
  const succeeded = attempt?.outcome === 'SUCCESS' ? current : undefined;
  if (current !== undefined && attempt !== null) {
    if (succeeded !== undefined) await markStepCompleted(trx, succeeded, attempt.number);
    else await settleAttempt(trx, current, attempt.number, { outcome: 'CANCELLED', settled_by: 'CORE' });
  }
  if (steps.every((step) => step === succeeded || step.status === 'COMPLETED')) {
    await completeRun(trx, { resource_id: resourceId, run });
    return;
  }
  await markStepsCancelled(trx, resourceId, run);
  await markRunEnded(trx, resourceId, run, { status: 'CANCELLED', error: null });
}
