import type { ReactElement } from 'react';
import type { Segment, SegmentKind } from './segments.js';
import { lookOf, type Look } from './words.js';
import classes from './timeline.module.css';

const width = 1_000;
const height = 20;
/** The minimum width, so that very short segments stay visible. */
const narrowest = 3;

interface TimelineBarProps {
  readonly segments: readonly Segment[];
  readonly isFailed: boolean;
  /** The start of the whole bar in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

/**
 * Draws segments on the run's time axis: a full bar for running, a hollow one for waiting for a callback, a line for
 * waiting for a worker, a dashed line for a pause. One path per kind, however many segments there are.
 */
export function TimelineBar({ segments, isFailed, from, to, now }: TimelineBarProps): ReactElement {
  const scale = width / Math.max(1, to - from);
  const paths = new Map<string, string>();
  const add = (name: string, path: string): void => {
    paths.set(name, (paths.get(name) ?? '') + path);
  };
  for (const segment of segments) {
    const start = Math.min((segment.from - from) * scale, width - narrowest);
    const end = Math.max(((segment.to ?? now) - from) * scale, start + narrowest);
    const span = `${start.toFixed(2)} ${(end - start).toFixed(2)}`.split(' ');
    if (segment.kind === 'run') add(`run ${lookOf(segment, isFailed)}`, box(span, 2, height - 4));
    else if (segment.kind === 'callback')
      add(`callback ${lookOf(segment, isFailed)}`, box(span, 4, height - 8));
    else add(segment.kind === 'retry' ? 'retry' : 'queue', `M${span[0]} ${height / 2}h${span[1]}`);
  }
  return (
    <svg
      className={classes.bar}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
      focusable={false}
    >
      {[...paths].map(([name, path]) => {
        const [kind, look] = name.split(' ') as [SegmentKind, Look?];
        return <path key={name} d={path} className={classes[kind]} data-look={look} />;
      })}
    </svg>
  );
}

const box = ([start = '', length = '']: readonly string[], y: number, tall: number): string =>
  `M${start} ${y}h${length}v${tall}h-${length}z`;

interface SegmentMarkProps {
  readonly segment: Segment;
  readonly isFailed: boolean;
}

/** A segment's mark as in the timeline, for the legend. */
export const SegmentMark = ({ segment, isFailed }: SegmentMarkProps): ReactElement => (
  <span className={classes.mark}>
    <TimelineBar
      segments={[{ ...segment, from: 0, to: segment.to === null ? null : 1 }]}
      isFailed={isFailed}
      from={0}
      to={1}
      now={1}
    />
  </span>
);
