import { about, type Finding } from './finding.js';

const clock = about('clock');

/** The difference in seconds at which TLS and signatures begin to fail. */
const toleranceSeconds = 5;

/** A reading of another server's clock. */
export interface ReadClock {
  /** Milliseconds since 1970 by that clock. */
  readonly time: number;
  /** This machine's clock just before and just after the reading. */
  readonly from: number;
  readonly to: number;
}

/** Compares this machine's clock with another one, as precisely as the duration of the reading allows. */
export function compareClock(owner: string, { time, from, to }: ReadClock): Finding {
  // Ignore differences that the duration of the reading can explain.
  const aheadSeconds = (from > time ? from - time : Math.min(0, to - time)) / 1000;
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return Math.abs(aheadSeconds) > toleranceSeconds
    ? clock.warn(
        `The clock of this machine is ${Math.abs(aheadSeconds).toFixed(0)} s ${side} that of ${owner}.`,
        'Synchronize both clocks with NTP: TLS, the signatures of deliveries and those of S3 requests depend on them.',
      )
    : clock.ok(`Within ${toleranceSeconds} s of ${owner}'s.`);
}

/** The finding about a clock that could not be read. */
export function unreadClock(owner: string, reason: string): Finding {
  return clock.warn(
    `The clock of ${owner} cannot be read: ${reason}.`,
    `Check that ${owner} synchronizes its clock with NTP.`,
  );
}
