/** For how long this process has been running without a break, in seconds. */
export interface AwakeTime {
  /** Since the last break of any length, or the start. */
  sinceBreak(): number;
  /** Since the last break of more than ten seconds, or the start. */
  sinceLongBreak(): number;
  /** Counts both from now. */
  restart(): void;
}

const tickMs = 250;
/** Work that blocks the event loop for less does not count as a break. */
const longestGapMs = 2_000;
/** What was sent during a shorter break is received after it. */
const longBreakMs = 10_000;

/**
 * Starts to count now. Starts again at zero after each break: the process was stopped, its event loop was blocked, or the
 * machine was suspended. It compares times of day, because other clocks stop while the machine is suspended. If somebody
 * sets the clock forward, that counts as a break too.
 */
export function createAwakeTime(): AwakeTime {
  let since = performance.now();
  let sinceLong = since;
  let lastTick = Date.now();
  const tick = (): void => {
    const now = Date.now();
    if (now - lastTick > longestGapMs) since = performance.now();
    if (now - lastTick > longBreakMs) sinceLong = performance.now();
    lastTick = now;
  };
  const secondsSince = (from: () => number): number => {
    // The timer may be late too.
    tick();
    return (performance.now() - from()) / 1_000;
  };
  setInterval(tick, tickMs).unref();
  return {
    sinceBreak: () => secondsSince(() => since),
    sinceLongBreak: () => secondsSince(() => sinceLong),
    restart() {
      since = performance.now();
      sinceLong = since;
    },
  };
}
