import { setTimeout as pause } from 'node:timers/promises';

/** How long a plugin may take to return after its signal has aborted, in milliseconds. */
const patienceMs = 2_000;

/** Waits for a plugin, but only briefly once its signal aborts. Returns whether it ended; throws what it threw. */
export async function beforePatienceEnds(running: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const done = new AbortController();
  const outOfPatience = async (): Promise<boolean> => {
    const over = AbortSignal.any([signal, done.signal]);
    if (!over.aborted)
      await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    await pause(patienceMs, undefined, { signal: done.signal }).catch(() => undefined);
    return false;
  };
  try {
    return await Promise.race([running.then(() => true), outOfPatience()]);
  } finally {
    done.abort();
  }
}
