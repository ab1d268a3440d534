import type { Polling } from '../../runtime/temporal/pollers.js';

/**
 * Describes pollers by time instead of number: a worker that is gone still counts for as long as a live one may be
 * silent.
 */
export function describePolling(queue: string, polling: Polling | null): string {
  if (polling === null) return `Waiting for a worker on the task queue ${queue}.`;
  const { pollers, lastPolledAt } = polling;
  const last = lastPolledAt === null ? '' : `${lastPolledAt.toISOString().slice(0, 19)}Z`;
  if (pollers === 0)
    return `No worker polls the task queue ${queue}.${last && ` The last poll was at ${last}.`}`;
  const workers = pollers === 1 ? '1 worker' : `${pollers} workers`;
  return `Waiting for a worker: ${workers} polled the task queue ${queue} in the last 90 seconds, the last at ${last}. A running worker polls at least once a minute.`;
}

/** Why pending clean-ups are not done: that no worker polls their queue, and the error of the last attempt. */
export function describeCleanUps(
  lastError: string | null,
  queue: string | null,
  polling: Polling | null,
): string | null {
  if (queue === null || polling?.pollers !== 0) return lastError;
  const failure = lastError === null ? '' : ` The last attempt failed: ${lastError}`;
  return `${describePolling(queue, polling)}${failure}`;
}
