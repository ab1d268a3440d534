import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState, type ReactElement } from 'react';
import { formatDuration } from '../../../parts/format.js';
import { SegmentList } from './segment-list.js';
import { sumUp, type Segment } from './segments.js';
import { TimelineBar } from './timeline-bar.js';
import classes from './timeline.module.css';

export interface TimelineEntry {
  readonly key: string;
  readonly name: string;
  readonly segments: readonly Segment[];
  readonly isFailed: boolean;
  /** It is still going on or failed, so its segments are expanded at first. */
  readonly isOpenAtFirst: boolean;
  /** Shown if there are no segments. */
  readonly note: string;
}

interface TimelineRowProps {
  readonly entry: TimelineEntry;
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

/** A step on the timeline. A click expands its segments. */
export function TimelineRow({ entry, from, to, now }: TimelineRowProps): ReactElement {
  const { name, segments, isFailed, note } = entry;
  const id = useId();
  const [choice, setChoice] = useState<boolean | null>(null);
  const isOpen = choice ?? entry.isOpenAtFirst;
  if (segments.length === 0)
    return (
      <li className={classes.row}>
        <div className={classes.head}>
          <span className={classes.name}>{name}</span>
          <span className={classes.note}>{note}</span>
        </div>
      </li>
    );
  const { running, waiting } = sumUp(segments, now);
  const sums = [
    ...(running > 0 || waiting === 0 ? [`ran ${formatDuration(running)}`] : []),
    ...(waiting >= 1 ? [`waited ${formatDuration(waiting)}`] : []),
  ];
  return (
    <li className={classes.row}>
      <button
        type="button"
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChoice(!isOpen)}
      >
        <span className={classes.name}>
          <IconChevronRight size={14} stroke={2} aria-hidden className={classes.arrow} data-open={isOpen} />
          <span>{name}</span>
        </span>
        <span className={classes.track}>
          <TimelineBar segments={segments} isFailed={isFailed} from={from} to={to} now={now} />
        </span>
        <span className={classes.sums}>{sums.join(', ')}</span>
      </button>
      <div id={id} hidden={!isOpen} className={classes.detail}>
        {isOpen && <SegmentList segments={segments} isFailed={isFailed} now={now} />}
      </div>
    </li>
  );
}
