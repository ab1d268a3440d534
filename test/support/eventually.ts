import { setTimeout as sleep } from 'node:timers/promises';

const shortestPauseMs = 25;
const longestPauseMs = 500;

/**
 * Calls `look` repeatedly until it neither throws nor returns false or undefined, and returns its result. After
 * `timeoutMs` milliseconds, throws the last error of `look`. The longer it waits, the longer the pauses become, because
 * most calls of `look` ask a service that has work to do. Pass `intervalMs`, their length, for a state that lasts less
 * than half a second.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  options: { readonly timeoutMs?: number; readonly intervalMs?: number } = {},
): Promise<Exclude<T, false | undefined>> {
  const { timeoutMs = 240_000, intervalMs } = options;
  const begun = Date.now();
  for (;;) {
    let failure: unknown = new Error('it never came true');
    try {
      const found = await look();
      if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
    } catch (error) {
      failure = error;
    }
    const waitedMs = Date.now() - begun;
    if (waitedMs >= timeoutMs) {
      const message = failure instanceof Error ? failure.message : String(failure);
      throw new Error(`Not within ${timeoutMs} ms: ${message}`, { cause: failure });
    }
    await sleep(intervalMs ?? Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs / 4)));
  }
}
