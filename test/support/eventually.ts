import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `look` repeatedly until it neither throws nor returns false or undefined, and returns its result. After
 * `timeoutMs` milliseconds, throws the last error of `look`.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  options: { readonly timeoutMs?: number; readonly intervalMs?: number } = {},
): Promise<Exclude<T, false | undefined>> {
  const { timeoutMs = 240_000, intervalMs = 50 } = options;
  const until = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown = new Error('it never came true');
    try {
      const found = await look();
      if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= until) {
      const message = failure instanceof Error ? failure.message : String(failure);
      throw new Error(`Not within ${timeoutMs} ms: ${message}`, { cause: failure });
    }
    await sleep(intervalMs);
  }
}
