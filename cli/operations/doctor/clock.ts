import { about, type Finding } from './finding.js';

const clock = about('clock');

/** Seconds between two clocks from which on TLS and signatures begin to fail. */
const toleranceSeconds = 5;

/** A clock of another server, as it was read. */
export interface ReadClock {
  /** Milliseconds since 1970 by that clock. */
  readonly time: number;
  /** The same by this machine's clock, just before and just after the reading. */
  readonly from: number;
  readonly to: number;
}

/** Whether this machine's clock agrees with another one, as far as the time that the reading took can tell. */
export function compareClock(owner: string, { time, from, to }: ReadClock): Finding {
  // A difference that the time of reading may account for is not significant.
  const aheadSeconds = (from > time ? from - time : Math.min(0, to - time)) / 1000;
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return Math.abs(aheadSeconds) > toleranceSeconds
    ? clock.warn(
        `This machine is ${Math.abs(aheadSeconds).toFixed(0)} s ${side} ${owner}.`,
        'Set both clocks by NTP: TLS, the signatures of deliveries and those of S3 requests depend on them.',
      )
    : clock.ok(`Within ${toleranceSeconds} s of ${owner}'s.`);
}

/** The finding about a clock that could not be read. */
export function unreadClock(owner: string, reason: string): Finding {
  return clock.warn(
    `${owner} does not tell its time: ${reason}.`,
    'Check that the machine of that server sets its clock by NTP.',
  );
}
