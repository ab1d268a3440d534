import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../../core/errors.js';

/** The error of a dev server whose SQLite connection is stuck: SQLite's code for an interrupted statement. */
const interrupted = /\binterrupted \(9\)/;

/**
 * Waits until a dev server is stuck. If a client cancels a call in the middle of a query, the only SQLite connection of
 * Temporal CLI 1.5.1 may stay interrupted: from then on every call fails until the server is restarted, which loses
 * nothing (decision 37). A server that does not answer, or returns another error, is not stuck.
 *
 * @param probe Makes a call that reads the database, retrying for some seconds; rejects with the server's last error.
 * @param pauseMs Milliseconds between two calls.
 * @returns Whether it is stuck; false if `over` was aborted.
 */
export async function untilStuck(
  probe: () => Promise<unknown>,
  over: AbortSignal,
  pauseMs = 5_000,
): Promise<boolean> {
  for (;;) {
    await sleep(pauseMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return false;
    const isStuck = await probe().then(
      () => false,
      (error: unknown) => interrupted.test(messageOf(error)),
    );
    if (isStuck) return true;
  }
}
