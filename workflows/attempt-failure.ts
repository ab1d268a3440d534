import {
  ActivityFailure,
  ApplicationFailure,
  RetryState,
  ServerFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { clip, maxResultBytes } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptFailure } from '../core/runs/run-protocol.js';
import { failureCodeOf, noMessage } from '../core/runs/failure-code.js';
import { isObject, isWithin } from '../core/runs/run-input.js';
import { interruptedTypes } from '../core/states.js';

const longestMessage = 2_000;
/** What Temporal's server puts in place of a result above its own limit, which is higher than ours. */
const refusedResult = 'Complete result exceeds size limit.';

/** What an activity's failure says about the attempt. Pure, so a workflow can use it deterministically. */
export function toAttemptFailure(error: unknown): AttemptFailure {
  if (!(error instanceof ActivityFailure)) throw error;
  const exhausted = error.retryState !== RetryState.NON_RETRYABLE_FAILURE;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    const heartbeat = cause.timeoutType === TimeoutType.HEARTBEAT;
    return {
      code: heartbeat ? 'HEARTBEAT_TIMED_OUT' : 'STEP_TIMED_OUT',
      message: heartbeat ? 'The worker sent no heartbeat in time.' : 'The attempt did not end in time.',
      details: {},
      attempt: null,
      retryable: true,
      exhausted,
      cause: 'TIMED_OUT',
    };
  }
  if (cause instanceof ServerFailure && cause.message === refusedResult)
    return {
      code: 'INVALID_RESULT',
      message: `The result is larger than Temporal accepts; at most ${maxResultBytes} bytes are allowed.`,
      details: {},
      attempt: null,
      retryable: false,
      exhausted,
      cause: 'ERROR',
    };
  const failure = cause instanceof ApplicationFailure ? cause : null;
  const details: unknown = failure?.details?.[0];
  const interrupted = interruptedTypes.has(failure?.type ?? '');
  return {
    code: failureCodeOf(failure?.type),
    message: clip((cause ?? error).message || noMessage, longestMessage),
    details: isObject(details) ? details : details === undefined ? {} : { details: failure?.details },
    attempt: isObject(details) && interrupted && isWithin(details['attempt'], 1) ? details['attempt'] : null,
    retryable: !(failure?.nonRetryable ?? false) && error.retryState !== RetryState.NON_RETRYABLE_FAILURE,
    exhausted,
    cause: interrupted ? 'INTERRUPTED' : 'ERROR',
  };
}
