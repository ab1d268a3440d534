import { ApplicationFailure } from '@temporalio/common';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { ServiceError } from '../core/errors.js';
import type { AttemptRef } from '../core/runs/refs.js';
import { longestPauseSeconds } from '../core/runs/run-protocol.js';
import type { Deps } from '../runtime/deps.js';
import type { Step } from '../storage/runs/runs.js';
import { reportAttempt, type FailedAttempt } from '../storage/transitions/report-attempt.js';

/** Records that an attempt failed and throws the failure as an ApplicationFailure; also throws errors of `reportAttempt`. */
export async function failAttempt(
  { db }: Deps,
  ref: AttemptRef,
  step: Step,
  failure: FailedAttempt,
): Promise<never> {
  await reportAttempt(db, ref, failure, { settledBy: 'CORE', awaited: true });
  const pause = Math.min(failure.retryAfterSeconds ?? 0, longestPauseSeconds);
  throw ApplicationFailure.create({
    type: failure.error.code,
    message: clip(failure.error.message, 2_000),
    nonRetryable: !failure.retryable,
    details: [{ attempt: ref.attempt }],
    ...(pause > step.backoff_seconds ? { nextRetryDelay: Math.round(pause * 1000) } : {}),
  });
}

/** Whether an error means that the attempt was closed before or its resource was deleted, so there is nothing to report. */
export function isClosed(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'ATTEMPT_CLOSED' || error.code === 'NOT_FOUND');
}
