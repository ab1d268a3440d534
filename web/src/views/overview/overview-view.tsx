import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useStatistics } from '../../api/statistics.js';
import { Card } from '../../parts/layout/card.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { Attention } from './attention.js';
import { BucketChart } from './bucket-chart.js';
import { PluginTable } from './plugin-table.js';
import { failureSeries, throughputSeries } from './series.js';
import { StatusTiles } from './status-tiles.js';
import classes from './overview-view.module.css';

const windows = [
  { value: '2', label: '2 h' },
  { value: '24', label: '24 h' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

/** The state of the whole service: current counts, and outcomes over time. */
export default function OverviewView(): ReactElement {
  const [parameters, setParameters] = useSearchParams();
  const hours = windows.find(({ value }) => value === parameters.get('hours'))?.value ?? '24';
  const statistics = useStatistics(Number(hours));
  return (
    <>
      <PageHeader
        title="Overview"
        description={
          <>
            What needs attention, and how runs ended. <Link href="/system">System</Link> shows what is
            running.
          </>
        }
        actions={
          <SegmentedControl
            aria-label="Time range"
            data={windows}
            value={hours}
            onChange={(value) => setParameters({ hours: value }, { replace: true })}
          />
        }
      />
      <div className={classes.sheets} aria-busy={statistics.isPlaceholderData}>
        <Attention />
        {statistics.data === undefined ? (
          <LoadingState query={statistics} />
        ) : (
          <>
            <StatusTiles counts={statistics.data.resources} />
            <div className={classes.charts}>
              <Card heading="Throughput">
                <BucketChart
                  label="Runs that ended, and resources registered, over time"
                  statistics={statistics.data}
                  series={throughputSeries}
                />
              </Card>
              <Card heading="Failures">
                <BucketChart
                  label="Runs that failed over time"
                  statistics={statistics.data}
                  series={failureSeries}
                />
              </Card>
            </div>
            <PluginTable plugins={statistics.data.plugins} />
          </>
        )}
      </div>
    </>
  );
}
