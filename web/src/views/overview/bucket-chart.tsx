import { useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import type { Statistics } from '@knowledge-warehouse/client';
import { formatCount } from '../../parts/format.js';
import { ChartMarks } from './chart-marks.js';
import { ChartTable } from './chart-table.js';
import { formatBucket, formatTick, largestOf, niceTop, type Series } from './series.js';
import classes from './bucket-chart.module.css';

interface BucketChartProps {
  readonly label: string;
  readonly statistics: Statistics;
  readonly series: readonly Series[];
}

/** Counts over time. The legend shows the numbers of the bucket under the pointer or selected with the arrow keys. */
export function BucketChart({ label, statistics, series }: BucketChartProps): ReactElement {
  const { buckets, bucket_seconds } = statistics;
  const [chosen, setChosen] = useState<number | null>(null);
  const top = niceTop(largestOf(buckets, series));
  const shown = chosen === null ? undefined : buckets[chosen];
  const total = (name: Series['name']): number => buckets.reduce((sum, bucket) => sum + bucket[name], 0);

  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * buckets.length);
    setChosen(Math.max(0, Math.min(buckets.length - 1, index)));
  };
  const press = (event: KeyboardEvent): void => {
    const last = buckets.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, (chosen ?? last + 1) - 1),
      ArrowRight: Math.min(last, (chosen ?? -1) + 1),
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (event.key === 'Escape') setChosen(null);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  const ticks = [0, Math.floor((buckets.length - 1) / 2), buckets.length - 1].flatMap(
    (index) => buckets[index]?.at ?? [],
  );
  return (
    <>
      <div className={classes.legend} aria-live="polite">
        <span className={classes.when}>
          {shown === undefined ? 'Total' : formatBucket(shown.at, bucket_seconds)}
        </span>
        {series.map(({ name, label: text, tone, kind }) => (
          <span key={name} className={classes.entry}>
            <span className={classes.swatch} data-tone={tone} data-kind={kind} aria-hidden />
            {text} <strong className="tabular">{formatCount(shown?.[name] ?? total(name))}</strong>
          </span>
        ))}
      </div>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>{formatCount(top)}</span>
          <span>{formatCount(top / 2)}</span>
          <span>0</span>
        </div>
        <div
          className={classes.area}
          role="slider"
          aria-label={`${label}: loading`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, buckets.length - 1)}
          aria-valuenow={chosen ?? buckets.length - 1}
          aria-valuetext={shown === undefined ? 'none selected' : formatBucket(shown.at, bucket_seconds)}
          tabIndex={0}
          onPointerMove={point}
          onPointerLeave={() => setChosen(null)}
          onBlur={() => setChosen(null)}
          onKeyDown={press}
        >
          <ChartMarks buckets={buckets} series={series} top={top} chosen={chosen} />
        </div>
        <div className={classes.ticks} aria-hidden>
          {ticks.map((at) => (
            <span key={at}>{formatTick(statistics, at)}</span>
          ))}
        </div>
      </div>
      <ChartTable label={label} statistics={statistics} series={series} />
    </>
  );
}
