import { isRunByCore } from '../../core/runs/next-step.js';
import { longestPauseSeconds } from '../../core/runs/run-protocol.js';
import type { StepError } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { attemptsAllowed, type Attempt, type Step } from '../runs/runs.js';
import { markRunEnded, markStepFailed, markStepRetrying } from './status-writes.js';

/** The failure of an attempt. */
export interface Failure {
  readonly error: StepError;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
}

/** The pause before the next attempt in seconds: the step's backoff, or the requested pause if that is longer. */
export function pauseAfter(step: Pick<Step, 'backoff_seconds'>, retryAfterSeconds: number | null): number {
  return Math.max(step.backoff_seconds, Math.min(retryAfterSeconds ?? 0, longestPauseSeconds));
}

/** The error of an attempt that failed or timed out. */
export function errorOf({ outcome, error }: Pick<Attempt, 'outcome' | 'error'>): StepError {
  const timedOut = outcome === 'TIMED_OUT';
  return (
    error ?? {
      code: timedOut ? 'STEP_TIMED_OUT' : 'STEP_FAILED',
      message: timedOut ? 'The attempt did not end in time.' : 'The attempt failed.',
      details: {},
    }
  );
}

/** The failure recorded in a settled attempt. */
export function failureOf(attempt: Attempt): Failure {
  const { retryable, retry_after_seconds: retryAfterSeconds } = attempt;
  return { error: errorOf(attempt), retryable: retryable ?? true, retryAfterSeconds };
}

/** Whether an attempt was settled outside the workflow, which then only follows. */
export function isDecided({ settled_by }: Attempt): boolean {
  return settled_by === 'REPORT' || settled_by === 'SWEEP';
}

/**
 * Handles a failed attempt: the step becomes RETRYING if attempts are left and the failure is retryable; otherwise the
 * step, its run and the resource become FAILED. `used` is the number of the last attempt.
 *
 * @param options.isPausing Whether the pause after this attempt has begun already.
 */
export async function retryOrFail(
  trx: Db,
  step: Step,
  used: number,
  failure: Failure,
  options: { readonly isPausing: boolean } = { isPausing: false },
): Promise<void> {
  if (failure.retryable && used < attemptsAllowed(step) + (await countLost(trx, step, used))) {
    const pauseSeconds = options.isPausing ? null : pauseAfter(step, failure.retryAfterSeconds);
    await markStepRetrying(trx, step, { attempt: used, error: failure.error, pauseSeconds });
    await spendAttempts(trx, step, used);
  } else {
    await failStep(trx, step, used, failure.error);
  }
}

/** Marks a step, its run and the resource as FAILED. */
export async function failStep(trx: Db, step: Step, attempt: number, error: StepError): Promise<void> {
  await markStepFailed(trx, step, { attempt, error });
  await markRunEnded(trx, step.resource_id, step.run, {
    status: 'FAILED',
    error: { code: error.code, message: error.message, step: step.index },
  });
}

/**
 * Records that attempts up to a number are used up; an interrupted one and each lost one allow one more. Returns how many
 * more that are.
 */
export async function spendAttempts(
  trx: Db,
  step: Step,
  used: number,
  options: { readonly interrupted: boolean } = { interrupted: false },
): Promise<number> {
  const excused = (options.interrupted ? 1 : 0) + (await countLost(trx, step, used));
  await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .where('attempt_base', '<', used)
    .update({ attempt_base: used, interruptions: trx.raw('interruptions + ?', [excused]) });
  return excused;
}

/**
 * Returns how many attempts between the used ones and a newer one never began. A worker that shuts down may lose a task
 * that the server has just handed out to it. Core's own activities open their attempt first, so a lost one has no row.
 */
async function countLost(trx: Db, step: Step, number: number): Promise<number> {
  const between = number - step.attempt_base - 1;
  if (between < 1 || !isRunByCore(step)) return 0;
  const [begun]: { count: number }[] = await trx('attempts')
    .where({ resource_id: step.resource_id, run: step.run, step_index: step.index })
    .where('number', '>', step.attempt_base)
    .where('number', '<', number)
    .count({ count: '*' });
  return between - (begun?.count ?? 0);
}
