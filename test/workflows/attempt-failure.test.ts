import assert from 'node:assert/strict';
import {
  ActivityFailure,
  ApplicationFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { toAttemptFailure } from '../../workflows/attempt-failure.js';

const failed = (
  cause: Error | undefined,
  state: RetryState = RetryState.MAXIMUM_ATTEMPTS_REACHED,
): ActivityFailure => new ActivityFailure('Activity task failed', 'work', '1', state, 'worker', cause);

describe('what an activity failure says about the attempt', () => {
  const table = [
    [
      'a plain error',
      failed(ApplicationFailure.retryable('boom', 'Error')),
      'STEP_FAILED',
      true,
      true,
      'ERROR',
    ],
    [
      'a Python error',
      failed(ApplicationFailure.retryable('boom', 'ValueError')),
      'STEP_FAILED',
      true,
      true,
      'ERROR',
    ],
    [
      'a failure without a type',
      failed(ApplicationFailure.retryable('boom')),
      'STEP_FAILED',
      true,
      true,
      'ERROR',
    ],
    [
      'a failure with a code',
      failed(ApplicationFailure.retryable('boom', 'QUOTA')),
      'QUOTA',
      true,
      true,
      'ERROR',
    ],
    [
      'a failure that is final',
      failed(ApplicationFailure.nonRetryable('boom', 'BAD_INPUT'), RetryState.NON_RETRYABLE_FAILURE),
      'BAD_INPUT',
      false,
      false,
      'ERROR',
    ],
    [
      'a start-to-close time-out',
      failed(new TimeoutFailure('t', undefined, TimeoutType.START_TO_CLOSE)),
      'STEP_TIMED_OUT',
      true,
      true,
      'TIMED_OUT',
    ],
    [
      'a heartbeat time-out',
      failed(new TimeoutFailure('t', undefined, TimeoutType.HEARTBEAT)),
      'HEARTBEAT_TIMED_OUT',
      true,
      true,
      'TIMED_OUT',
    ],
  ] as const;

  for (const [name, error, code, retryable, exhausted, cause] of table) {
    it(name, () => {
      const failure = toAttemptFailure(error);
      assert.deepEqual(
        [failure.code, failure.retryable, failure.exhausted, failure.cause],
        [code, retryable, exhausted, cause],
      );
    });
  }

  it('an interruption includes its attempt', () => {
    const interruption = ApplicationFailure.nonRetryable('stopping', 'KW_INTERRUPTED', { attempt: 4 });
    const failure = toAttemptFailure(failed(interruption, RetryState.NON_RETRYABLE_FAILURE));
    assert.equal(failure.cause, 'INTERRUPTED');
    assert.equal(failure.attempt, 4);
  });

  for (const attempt of [-1, 0, 1.5, 2 ** 31, 1e308, '1', null, true])
    it(`ignores ${String(attempt)} as the number of an attempt`, () => {
      const interruption = ApplicationFailure.nonRetryable('stopping', 'KW_INTERRUPTED', { attempt });
      const failure = toAttemptFailure(failed(interruption, RetryState.NON_RETRYABLE_FAILURE));
      assert.deepEqual([failure.cause, failure.attempt], ['INTERRUPTED', null]);
    });

  it('keeps the details from the plugin', () => {
    const error = failed(ApplicationFailure.retryable('boom', 'QUOTA', { left: 0 }));
    assert.deepEqual(toAttemptFailure(error).details, { left: 0 });
  });

  it('says so if the failure has no message', () => {
    const error = failed(ApplicationFailure.nonRetryable('', 'QUIET'));
    assert.equal(toAttemptFailure(error).message, 'The worker reported a failure without a message.');
    assert.equal(toAttemptFailure(failed(undefined)).message, 'Activity task failed');
  });

  it('passes on an error that is not from an activity', () => {
    assert.throws(() => toAttemptFailure(new TypeError('a bug')), TypeError);
  });
});
