/** For how long this process has been running without a break. */
export interface AwakeTime {
  seconds(): number;
  /** Counts from now. */
  restart(): void;
}

const tickMs = 250;
/** Work that blocks the event loop for less does not count as a break. */
const longestGapMs = 2_000;

/**
 * Counts from now, and anew whenever the process was stopped, its event loop was blocked or the machine was suspended.
 * Only the clock of the machine continues while it is suspended; if somebody sets it forward, that counts as a break.
 */
export function createAwakeTime(): AwakeTime {
  let since = performance.now();
  let lastTick = Date.now();
  const restart = (): void => {
    since = performance.now();
  };
  const tick = (): void => {
    const now = Date.now();
    if (now - lastTick > longestGapMs) restart();
    lastTick = now;
  };
  setInterval(tick, tickMs).unref();
  return {
    seconds() {
      // The timer may be late too.
      tick();
      return (performance.now() - since) / 1_000;
    },
    restart,
  };
}
