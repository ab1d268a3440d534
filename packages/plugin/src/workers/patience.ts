import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds a plugin has to return once its signal has aborted. */
const patienceMs = 2_000;

/** Waits for a plugin, but not for long once its signal has aborted. Returns whether it ended; throws what it threw. */
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
