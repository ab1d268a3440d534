import { useMemo, type ReactElement } from 'react';
import type { Attempt, Resource, Run, Step } from '@knowledge-warehouse/client';
import { useAttempts } from '../../../api/attempts.js';
import { Card } from '../../../parts/layout/card.js';
import { formatDuration } from '../../../parts/format.js';
import { useNow } from '../../../parts/now.js';
import { marksOf } from './axis.js';
import {
  isKept,
  newSegment,
  segmentsOf,
  startOf,
  sumUp,
  type Segment,
  type SegmentKind,
} from './segments.js';
import { SegmentMark } from './timeline-bar.js';
import { TimelineRow, type TimelineEntry } from './timeline-row.js';
import { kindNames } from './words.js';
import classes from './timeline.module.css';

/** The fields of a run that the timeline uses. */
export type ShownTimes = Pick<Run, 'run' | 'started_at' | 'finished_at'>;

interface RunTimelineProps {
  readonly resource: Resource;
  readonly run: ShownTimes;
  readonly steps: readonly Step[];
}

/** A timeline of a run: when each step ran, and when it waited and for what. */
export function RunTimeline({ resource, run, steps }: RunTimelineProps): ReactElement | null {
  const attempts = useAttempts(resource.id, run.run);
  const ended = run.finished_at === null ? null : Date.parse(run.finished_at);
  // A finished run does not change every second.
  const clock = useNow(ended === null ? 'quick' : 'slow');
  const entries = useMemo(() => entriesOf(run, steps, attempts.data ?? []), [run, steps, attempts.data]);
  const segments = entries.flatMap((entry) => entry.segments);
  if (segments.length === 0) return null;
  const from = Date.parse(run.started_at);
  const now = ended ?? Math.max(clock, from + 1);
  const to = Math.max(now, ...segments.map((segment) => segment.to ?? 0));
  const { running, waiting } = sumUp(segments, now);
  return (
    <Card aria-labelledby="timeline-title">
      <div className={classes.title}>
        <h2 id="timeline-title">Timeline</h2>
        <p className="dim small tabular">
          {ended === null ? 'For' : 'Took'} {formatDuration(to - from)}: running {formatDuration(running)},
          waiting {formatDuration(waiting)}
        </p>
      </div>
      <Legend segments={segments} />
      <div className={classes.axis} aria-hidden>
        <span className={classes.track}>
          {[0, ...marksOf(to - from)].map((mark) => (
            <span key={mark} style={{ insetInlineStart: `${(mark / (to - from)) * 100}%` }}>
              {mark === 0 ? '0' : formatDuration(mark).replace(/\.0(?= )/, '')}
            </span>
          ))}
        </span>
      </div>
      <ol aria-label="Timeline of the steps">
        {entries.map((entry) => (
          <TimelineRow key={entry.key} entry={entry} from={from} to={to} now={now} />
        ))}
      </ol>
    </Card>
  );
}

function entriesOf(
  run: ShownTimes,
  steps: readonly Step[],
  attempts: readonly Attempt[],
): readonly TimelineEntry[] {
  const start = startOf(run, steps);
  const first: readonly TimelineEntry[] =
    start === null
      ? []
      : [
          {
            key: 'start',
            name: 'Before the first step',
            segments: [start],
            isFailed: false,
            isOpenAtFirst: start.to === null,
            note: '',
          },
        ];
  const rest = steps.map((step): TimelineEntry => {
    const { index, plugin_id, status } = step;
    const kept = isKept(step, run);
    const ofStep = attempts.filter((attempt) => attempt.step_index === index);
    return {
      key: String(index),
      name: `${index + 1}. ${plugin_id}`,
      segments: kept ? [] : segmentsOf(step, ofStep),
      isFailed: status === 'FAILED',
      isOpenAtFirst: status === 'FAILED' || status === 'RUNNING' || status === 'RETRYING',
      note: kept ? 'Kept from an earlier run' : run.finished_at === null ? 'Not started' : 'Never started',
    };
  });
  return [...first, ...rest];
}

const order: readonly SegmentKind[] = ['run', 'callback', 'queue', 'retry'];

/** A legend of the marks that occur. */
function Legend({ segments }: { readonly segments: readonly Segment[] }): ReactElement {
  const kinds = new Set<SegmentKind>(segments.map(({ kind }) => (kind === 'start' ? 'queue' : kind)));
  return (
    <ul className={classes.legend}>
      {order
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <SegmentMark segment={newSegment(kind, 0, null)} isFailed={false} />
            {kindNames[kind]}
          </li>
        ))}
    </ul>
  );
}
