import type { ReactElement } from 'react';
import type { Statistics } from '@knowledge-warehouse/client';
import { Table } from '../../parts/layout/table.js';
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
      <Table
        label={`${label}, as a table`}
        columns={['From', ...series.map((each) => each.label)]}
        classes={classes}
      >
        {filled.map((bucket) => (
          <tr key={bucket.at}>
            <th scope="row">{formatBucket(bucket.at, bucket_seconds)}</th>
            {series.map(({ name }) => (
              <td key={name}>{bucket[name]}</td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  );
}
