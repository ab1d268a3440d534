import type { ReactElement } from 'react';
import type { System } from '@knowledge-warehouse/client';
import { useSystem } from '../../api/system.js';
import { Card } from '../../parts/layout/card.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { Fact, Facts } from '../../parts/layout/facts.js';
import { formatBytes } from '../../parts/format.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { Addresses } from './addresses.js';
import { PartState } from './part-state.js';
import { QueueTable } from './queue-table.js';
import { SearchIndex } from './search-index.js';
import classes from './system-view.module.css';

/** The running system: versions, addresses, queues with their workers, and storage. */
export default function SystemView(): ReactElement {
  const system = useSystem();
  return (
    <>
      <PageHeader title="System" description="Services, workers and task queues." />
      {system.data === undefined ? (
        <LoadingState query={system} listLabel="Loading the system" />
      ) : (
        <Sheets system={system.data} />
      )}
    </>
  );
}

function Sheets({ system }: { readonly system: System }): ReactElement {
  const { versions, checks, addresses, database_bytes, disk, queues } = system;
  return (
    <div className={classes.sheets}>
      <Card heading="Parts">
        <Facts>
          <Fact name="Service">
            {versions.service} on Node.js {versions.node}
          </Fact>
          <Fact name="PostgreSQL">
            <PartState check={checks.postgresql}>
              {versions.postgresql}, {formatBytes(database_bytes)}
            </PartState>
          </Fact>
          <Fact name="Temporal">
            <PartState check={checks.temporal}>{versions.temporal}</PartState>
          </Fact>
          <Fact name="Object store">
            <PartState check={checks.object_store} />
          </Fact>
          {disk !== null && (
            <Fact name="Disk">
              {formatBytes(disk.free_bytes)} of {formatBytes(disk.total_bytes)} free
            </Fact>
          )}
        </Facts>
      </Card>
      <SearchIndex />
      {addresses !== null && <Addresses addresses={addresses} />}
      <Card heading="Task queues" className={classes.wide}>
        <QueueTable queues={queues} waits={system.waits} />
      </Card>
    </div>
  );
}
