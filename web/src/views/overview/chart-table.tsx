import type { ReactElement } from 'react';
import type { Statistics } from '@knowledge-warehouse/client';
import { formatBucket, type Series } from './series.js';
import classes from './bucket-chart.module.css';

interface ChartTableProps {
  readonly label: string;
  readonly statistics: Statistics;
  readonly series: readonly Series[];
}

/** The same data as a table, without empty rows. */
export function ChartTable({ label, statistics, series }: ChartTableProps): ReactElement {
  const { buckets, bucket_seconds } = statistics;
  const filled = buckets.filter((bucket) => series.some(({ name }) => bucket[name] > 0));
  if (filled.length === 0) return <p className={classes.nothing}>Nothing happened in this period.</p>;
  return (
    <details className={classes.details}>
      <summary>As a table</summary>
      <div className={classes.frame} tabIndex={0} role="region" aria-label={`${label}, as a table`}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map(({ name, label: text }) => (
                <th key={name} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {filled.map((bucket) => (
              <tr key={bucket.at}>
                <th scope="row">{formatBucket(bucket.at, bucket_seconds)}</th>
                {series.map(({ name }) => (
                  <td key={name}>{bucket[name]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
