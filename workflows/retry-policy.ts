import type { ActivityOptions } from '@temporalio/workflow';
import type { StepSnapshot } from '../core/runs/run-protocol.js';

/** Seconds as whole milliseconds, at least 1: the SDK throws on 0 and on fractions of a millisecond. */
function toMilliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

/**
 * Maps a step's limits to activity options: the remaining `max_attempts` to the maximum attempts,
 * `backoff_seconds` to a constant retry interval, `timeout_seconds` to the start-to-close timeout. There is
 * no schedule-to-start timeout: a step waits for a worker until it is cancelled.
 *
 * @param attemptsLeft 1 or more.
 */
export function toActivityOptions(
  step: Pick<StepSnapshot, 'backoff_seconds' | 'timeout_seconds'>,
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
