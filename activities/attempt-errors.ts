import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { interruptedType, type StepError } from '../core/states.js';
import { isDatabaseUnavailable } from '../storage/database/connection.js';

/**
 * What an activity that works on an attempt fails with: where the worker shuts down or the database is away, the failure
 * that makes the workflow schedule the step again at no cost; else the error itself.
 */
export function toAttemptError(context: Context, attempt: number, error: unknown): unknown {
  if (isShuttingDown(context)) return interrupted(attempt, 'The worker is shutting down');
  if (isDatabaseUnavailable(error)) return interrupted(attempt, 'The database cannot be reached');
  return error;
}

/** The failure that makes the workflow schedule an activity again at no cost. */
export function interrupted(attempt: number, why: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: interruptedType,
    message: `${why}; the step is scheduled again.`,
    nonRetryable: true,
    details: [{ attempt }],
  });
}

/** Whether the activity at work is cancelled because its worker shuts down. */
export function isShuttingDown(context: Context): boolean {
  return context.cancellationSignal.aborted && context.cancellationDetails?.workerShutdown === true;
}

/** A failed attempt as Temporal is told of it; the row holds the same. */
export function toApplicationFailure(
  error: StepError,
  options: {
    readonly retryable: boolean;
    readonly retryAfterSeconds: number | null;
    readonly backoffSeconds: number;
    readonly attempt: number;
  },
): ApplicationFailure {
  const pause = Math.min(options.retryAfterSeconds ?? 0, 3600);
  return ApplicationFailure.create({
    type: error.code,
    message: clip(error.message, 2_000),
    nonRetryable: !options.retryable,
    details: [{ attempt: options.attempt }],
    ...(pause > options.backoffSeconds ? { nextRetryDelay: Math.round(pause * 1000) } : {}),
  });
}

/** Heartbeats until the returned function is called, so that a killed worker is missed within seconds. */
export function startHeartbeat(context: Context): () => void {
  const timer = setInterval(() => context.heartbeat(), 3_000);
  return () => clearInterval(timer);
}
