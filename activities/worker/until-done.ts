import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../core/errors.js';
import { SecretRefusedError } from '../../core/secrets/secret-fingerprint.js';
import type { Logger } from '../../runtime/logging/logger.js';
import { explainMissingSchema } from '../../storage/database/connection.js';

/** How long tries at the start may fail before the process says that it waits, in milliseconds. */
const defaultPatienceMs = 5_000;

/**
 * Retries something that needs a server until it succeeds, with growing pauses. Calls `onWaiting` once if it still fails
 * after some seconds. Null: the process must stop. Throws SecretRefusedError.
 *
 * @param what What the work does, for the log
 */
export async function untilDone<T>(
  what: string,
  work: () => Promise<T>,
  options: {
    readonly log: Pick<Logger, 'warn'>;
    readonly stopping: AbortSignal;
    readonly onWaiting: () => void;
    readonly patienceMs?: number;
  },
): Promise<T | null> {
  const { log, stopping, onWaiting, patienceMs = defaultPatienceMs } = options;
  const begun = performance.now();
  let isTold = false;
  for (let tries = 0; !stopping.aborted; tries++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SecretRefusedError) throw error;
      const err = explainMissingSchema(error);
      log.warn({ err }, `could not ${what}: ${messageOf(err).replace(/\.$/, '')}; retrying`);
      if (!isTold && performance.now() - begun >= patienceMs) {
        onWaiting();
        isTold = true;
      }
      const seconds = Math.min(10, 2 ** tries / 4);
      await pause(seconds * 1000, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return null;
}
