import type { ReactElement } from 'react';
import type { Bucket } from '@knowledge-warehouse/client';
import type { Series } from './series.js';
import classes from './bucket-chart.module.css';

interface ChartMarksProps {
  readonly buckets: readonly Bucket[];
  readonly series: readonly Series[];
  readonly top: number;
  readonly chosen: number | null;
}

const height = 100;

/** Stacked bars with lines in front of them, one unit wide per bucket. */
export function ChartMarks({ buckets, series, top, chosen }: ChartMarksProps): ReactElement {
  const bars = series.filter(({ kind }) => kind === 'bar');
  const lines = series.filter(({ kind }) => kind === 'line');
  const y = (value: number): number => height - (value / top) * height;
  return (
    <svg
      viewBox={`0 0 ${Math.max(buckets.length, 1)} ${height}`}
      preserveAspectRatio="none"
      className={classes.marks}
      aria-hidden
    >
      {[0, height / 2, height].map((at) => (
        <line key={at} x1={0} x2={buckets.length} y1={at} y2={at} className={classes.rule} />
      ))}
      {chosen !== null && <rect x={chosen} width={1} y={0} height={height} className={classes.chosen} />}
      {buckets.map((bucket, index) => {
        let below = 0;
        return bars.map(({ name, tone }) => {
          const from = below;
          below += bucket[name];
          return (
            bucket[name] > 0 && (
              <rect
                key={`${bucket.at}-${name}`}
                x={index + 0.14}
                width={0.72}
                y={y(below)}
                height={y(from) - y(below)}
                className={classes.bar}
                data-tone={tone}
              />
            )
          );
        });
      })}
      {lines.map(({ name, tone }) => (
        <polyline
          key={name}
          points={buckets.map((bucket, index) => `${index + 0.5},${y(bucket[name])}`).join(' ')}
          className={classes.line}
          data-tone={tone}
        />
      ))}
    </svg>
  );
}
