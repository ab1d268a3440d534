import type { ActivityOptions } from '@temporalio/workflow';
import type { StepSnapshot } from '../core/run-protocol.js';

/** The bounds of a step that Temporal is to keep. */
export type StepBounds = Pick<StepSnapshot, 'backoff_seconds' | 'timeout_seconds'>;

/** Seconds as whole milliseconds, at least 1: the SDK throws on 0 and on fractions of one. */
export function toMilliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

/**
 * Maps a step's bounds onto an activity's options: `max_attempts` (what is left of it) to the maximum of attempts,
 * `backoff_seconds` to a constant pause between them, `timeout_seconds` to the start-to-close time-out of each.
 * There is no schedule-to-start time-out: a step waits for a worker until it is cancelled.
 *
 * @param attemptsLeft 1 or more.
 */
export function toActivityOptions(
  step: StepBounds,
  attemptsLeft: number,
): Required<Pick<ActivityOptions, 'startToCloseTimeout' | 'retry'>> {
  if (!(attemptsLeft >= 1)) throw new RangeError(`No attempts are left: ${attemptsLeft}`);
  const pause = toMilliseconds(step.backoff_seconds);
  return {
    startToCloseTimeout: toMilliseconds(step.timeout_seconds),
    retry: {
      maximumAttempts: attemptsLeft,
      initialInterval: pause,
      maximumInterval: pause,
      backoffCoefficient: 1,
    },
  };
}
