import { Deadline } from '../core/deadline.js';
import type { Logger } from './logging/logger.js';

/** The database's clock, which all processes share, estimated from this process's own. */
export interface DatabaseClock {
  /** Milliseconds since 1970; taken from this process's own clock until the first comparison. */
  now(): number;
  /** Compares the clocks, at most once a minute, and warns if they differ by more than a few seconds. */
  compare(): Promise<void>;
}

/** Clock differences up to this many milliseconds are not reported. */
const toleranceMs = 5_000;
const defaultPauseMs = 60_000;

/**
 * @param read Reads the database's time.
 * @param pauseMs Milliseconds between comparisons.
 */
export function createDatabaseClock(
  read: () => Promise<Date>,
  log: Pick<Logger, 'info' | 'warn'>,
  pauseMs = defaultPauseMs,
): DatabaseClock {
  let aheadMs = 0;
  /** The last reported difference; 0 if the clocks agree. */
  let warnedMs = 0;
  let next = new Deadline(0);

  const tell = (uncertainMs: number): void => {
    const isOff = Math.abs(aheadMs) - uncertainMs > toleranceMs;
    if (isOff && Math.abs(aheadMs - warnedMs) > toleranceMs) {
      warnedMs = aheadMs;
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      const side = aheadMs > 0 ? 'ahead of' : 'behind';
      log.warn(
        { clock_ahead_ms: Math.round(aheadMs) },
        `The clock of this process is ${seconds} s ${side} the database's. Synchronize the clocks of all machines with NTP.`,
      );
    } else if (!isOff && warnedMs !== 0) {
      warnedMs = 0;
      log.info("The clock of this process agrees with the database's again.");
    }
  };

  return {
    now: () => Date.now() - aheadMs,
    async compare() {
      if (next.remainingMs > 0) return;
      const begun = performance.now();
      const theirs = (await read()).getTime();
      const tookMs = performance.now() - begun;
      aheadMs = Date.now() - tookMs / 2 - theirs;
      next = new Deadline(pauseMs);
      tell(tookMs / 2);
    },
  };
}
