import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { clip } from '../core/clip.js';
import { interruptedType, type StepError } from '../core/states.js';

/** The failure that makes the workflow schedule the step again at no cost: this worker is shutting down. */
export function interrupted(attempt: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: interruptedType,
    message: 'The worker is shutting down; the step is scheduled again.',
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
