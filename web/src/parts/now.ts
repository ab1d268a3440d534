import { useSyncExternalStore } from 'react';

/** Creates a shared clock that ticks only while it has subscribers. */
function createClock(everyMs: number): {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => number;
} {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      timer ??= setInterval(tick, everyMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    read: () => {
      if (timer === undefined) now = Math.floor(Date.now() / everyMs) * everyMs;
      return now;
    },
  };
}

const slow = createClock(10_000);
const quick = createClock(1_000);

/** Returns the current time in Unix milliseconds, updated every ten seconds or every second. */
export function useNow(pace: 'slow' | 'quick' = 'slow'): number {
  const clock = pace === 'slow' ? slow : quick;
  return useSyncExternalStore(clock.subscribe, clock.read);
}
