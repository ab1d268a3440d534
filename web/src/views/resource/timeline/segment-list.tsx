import type { ReactElement } from 'react';
import { formatClock, formatDuration, formatTime } from '../../../parts/format.js';
import { lengthOf, type Segment } from './segments.js';
import { SegmentMark } from './timeline-bar.js';
import { describeOutcome, describeSegment } from './words.js';
import classes from './timeline.module.css';

interface SegmentListProps {
  readonly segments: readonly Segment[];
  readonly isFailed: boolean;
  readonly now: number;
}

/** Older segments are omitted. */
const mostShown = 200;

/** The segments of a step, one per line, with the reasons. */
export function SegmentList({ segments, isFailed, now }: SegmentListProps): ReactElement {
  const shown = segments.slice(-mostShown);
  return (
    <>
      {shown.length < segments.length && (
        <p className="dim small">
          The newest {mostShown} of {segments.length} are shown.
        </p>
      )}
      <ol className={classes.list}>
        {shown.map((segment) => (
          <SegmentLine
            key={`${segment.kind} ${segment.from}`}
            segment={segment}
            isFailed={isFailed}
            now={now}
          />
        ))}
      </ol>
    </>
  );
}

interface SegmentLineProps {
  readonly segment: Segment;
  readonly isFailed: boolean;
  readonly now: number;
}

function SegmentLine({ segment, isFailed, now }: SegmentLineProps): ReactElement {
  const { from, to, attempt, isEnd, message } = segment;
  const outcome = attempt !== null && isEnd ? describeOutcome(attempt) : null;
  const error = isEnd ? attempt?.error : null;
  return (
    <li className={classes.line}>
      <SegmentMark segment={segment} isFailed={isFailed} />
      <div className={classes.what}>
        <p>
          {describeSegment(segment)}
          {outcome !== null && <span className="dim"> · {outcome}</span>}
        </p>
        {error != null && (
          <p className={classes.error}>
            <code>{error.code}</code> <bdi>{error.message}</bdi>
          </p>
        )}
        {message !== null && (
          <p className="dim">
            <bdi>{message}</bdi>
          </p>
        )}
      </div>
      <div className={classes.when}>
        <span className="tabular">
          {formatDuration(lengthOf(segment, now))}
          {to === null && ' so far'}
        </span>
        <span className="dim tabular">
          <Clock at={from} /> – {to === null ? 'now' : <Clock at={to} />}
        </span>
      </div>
    </li>
  );
}

const Clock = ({ at }: { readonly at: number }): ReactElement => {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)}>
      {formatClock(date)}
    </time>
  );
};
