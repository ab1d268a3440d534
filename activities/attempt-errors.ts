import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { interruptedType } from '../core/states.js';
import { isDatabaseUnavailable } from '../storage/database/connection.js';

/**
 * The failure of an activity that works on an attempt. If the worker shuts down or the database is away, the
 * workflow reschedules the step without using up an attempt; otherwise the error itself.
 */
export function toAttemptError(context: Context, attempt: number, error: unknown): unknown {
  if (isShuttingDown(context)) return interrupted(attempt, 'The worker is shutting down');
  if (isDatabaseUnavailable(error)) return interrupted(attempt, 'The database cannot be reached');
  return error;
}

/** The failure that makes the workflow reschedule an activity without using up an attempt. */
export function interrupted(attempt: number, why: string, details: object = {}): ApplicationFailure {
  return ApplicationFailure.create({
    type: interruptedType,
    message: `${why}; the step will be scheduled again.`,
    nonRetryable: true,
    details: [{ attempt, ...details }],
  });
}

/** Whether the current activity was cancelled because its worker shuts down. */
export function isShuttingDown(context: Context): boolean {
  return context.cancellationSignal.aborted && context.cancellationDetails?.workerShutdown === true;
}

/**
 * Heartbeats every second until the returned function is called, so that a killed worker is detected within seconds,
 * and a worker that waits for a processor is not taken for one. A step that takes less than a second sends none. The
 * next attempt gets the details.
 */
export function startHeartbeat(context: Context, details?: unknown): () => void {
  const timer = setInterval(() => context.heartbeat(details), 1_000);
  return () => clearInterval(timer);
}
