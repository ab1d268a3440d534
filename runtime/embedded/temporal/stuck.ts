import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../../core/errors.js';

/** What a dev server answers whose SQLite connection is stuck: SQLite's code of an interrupted statement. */
const interrupted = /\binterrupted \(9\)/;

/**
 * Waits until a dev server is stuck. A call that its client gives up in the middle of a query can leave the only SQLite
 * connection of Temporal CLI 1.5.1 interrupted for good: every call fails from then on, until the server is started anew,
 * which loses nothing (decision 37). A server that does not answer, or answers another error, is not stuck.
 *
 * @param probe makes a call that reads the database, and repeats it for some seconds; rejects with the server's last error
 * @param pauseMs milliseconds between two calls
 * @returns whether it is stuck; false: `over` was aborted
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
