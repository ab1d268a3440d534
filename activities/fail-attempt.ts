import { ApplicationFailure } from '@temporalio/common';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { ServiceError } from '../core/errors.js';
import type { AttemptRef } from '../core/runs/refs.js';
import { longestPauseSeconds } from '../core/runs/run-protocol.js';
import type { Deps } from '../runtime/deps.js';
import type { Step } from '../storage/runs/runs.js';
import { reportAttempt, type FailedAttempt } from '../storage/transitions/report-attempt.js';

/** Records that an attempt failed and throws that in Temporal's form. Throws as `reportAttempt` does. */
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

/** The attempt was closed elsewhere or its resource was deleted. The row decides; there is nothing to add. */
export function isClosed(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'ATTEMPT_CLOSED' || error.code === 'NOT_FOUND');
}
