import type { ReactElement } from 'react';
import { TimelineBar } from './timeline-bar.js';
import type { Segment } from './segments.js';
import classes from './timeline.module.css';

/** A segment's mark as in the timeline, for the legend. */
export const SegmentMark = ({
  segment,
  isFailed,
}: {
  readonly segment: Segment;
  readonly isFailed: boolean;
}): ReactElement => (
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
