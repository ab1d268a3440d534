import type { Attempt } from '@knowledge-warehouse/client';
import type { Segment, SegmentKind } from './segments.js';

/** Names of segments in the legend. */
export const kindNames: Readonly<Record<SegmentKind, string>> = {
  run: 'Running',
  callback: 'Waiting for the callback',
  queue: 'Waiting for a worker',
  retry: 'Pause before a retry',
  start: 'Waiting to start',
};

const past: Readonly<Record<SegmentKind, string>> = {
  run: 'Ran',
  callback: 'Waited for the callback',
  queue: 'Waited for a worker',
  retry: 'Paused before the next attempt',
  start: 'Waited to start',
};

/** Describes a segment. */
export function describeSegment({ kind, to, attempt, isEnd }: Segment): string {
  // The worker accepted the step and reported later.
  if (kind === 'run' && attempt !== null && !isEnd)
    return `Delivered to the worker, attempt ${attempt.number}`;
  const what = to === null ? kindNames[kind] : past[kind];
  return attempt === null || kind === 'callback' ? what : `${what}, attempt ${attempt.number}`;
}

const outcomes: Readonly<Record<NonNullable<Attempt['outcome']>, string>> = {
  SUCCESS: 'Succeeded',
  FAILURE: 'Failed',
  TIMED_OUT: 'Timed out',
  CANCELLED: 'Cancelled',
  SUPERSEDED: 'Interrupted',
};

/** Describes how an attempt ended; null: it is still open. */
export const describeOutcome = ({ outcome }: Attempt): string | null =>
  outcome === null ? null : outcomes[outcome];

/** The look of a segment, from its kind and its attempt's outcome. */
export type Look = 'green' | 'blue' | 'red' | 'grey';
export function lookOf({ attempt, isEnd, to }: Segment, isFailedStep: boolean): Look {
  if (to === null) return 'blue';
  if (attempt === null) return isFailedStep ? 'red' : 'green';
  switch (isEnd ? attempt.outcome : 'SUCCESS') {
    case 'FAILURE':
    case 'TIMED_OUT':
      return 'red';
    case 'CANCELLED':
    case 'SUPERSEDED':
      return 'grey';
    default:
      return 'green';
  }
}
