import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { PluginStatistics } from '@knowledge-warehouse/client';
import { Card } from '../../parts/layout/card.js';
import { Table } from '../../parts/layout/table.js';
import { formatCount, formatDuration } from '../../parts/format.js';
import classes from './plugin-table.module.css';

const columns = ['Plugin', 'Steps', 'Completed', 'Failed', 'Attempts per step', 'Median', '95th percentile'];

/** Outcomes and durations of each plugin's steps, busiest first. */
export function PluginTable({ plugins }: { readonly plugins: readonly PluginStatistics[] }): ReactElement {
  const endedOf = ({ completed, failed }: PluginStatistics): number => completed + failed;
  const sorted = plugins.toSorted((one, other) => endedOf(other) - endedOf(one));
  const most = Math.max(1, ...plugins.map(endedOf));
  return (
    <Card heading="By plugin">
      {sorted.length === 0 ? (
        <p className="dim small">No step ended in this period.</p>
      ) : (
        <Table label="Steps by plugin" columns={columns} classes={classes}>
          {sorted.map((plugin) => (
            <Row key={plugin.plugin_id} plugin={plugin} most={most} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function Row({ plugin, most }: { readonly plugin: PluginStatistics; readonly most: number }): ReactElement {
  const { plugin_id, completed, failed, attempts, median_seconds, p95_seconds } = plugin;
  const ended = completed + failed;
  const share = (count: number): string => `${(count / most) * 100}%`;
  return (
    <tr>
      <th scope="row">
        <Link href={`/plugins/${plugin_id}`}>{plugin_id}</Link>
      </th>
      <td>
        <span className={classes.wide}>
          <span className={classes.bar} aria-hidden>
            <span data-tone="green" style={{ width: share(completed) }} />
            <span data-tone="red" style={{ width: share(failed) }} />
          </span>
          <span className={classes.number}>{formatCount(ended)}</span>
        </span>
      </td>
      <td>{formatCount(completed)}</td>
      <td className={failed > 0 ? classes.failed : undefined}>
        {formatCount(failed)}
        {failed > 0 && ended > 0 && ` (${((failed / ended) * 100).toFixed(1)} %)`}
      </td>
      <td>{ended === 0 ? '–' : (attempts / ended).toFixed(2)}</td>
      <td>{seconds(median_seconds)}</td>
      <td>{seconds(p95_seconds)}</td>
    </tr>
  );
}

const seconds = (value: number | null): string => (value === null ? '–' : formatDuration(value * 1000));
