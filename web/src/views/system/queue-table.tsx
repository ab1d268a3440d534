import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { System } from '@knowledge-warehouse/client';
import { formatCount, plural } from '../../parts/format.js';
import { Table } from '../../parts/layout/table.js';
import { HealthNote } from '../../parts/status/health-note.js';
import type { Health } from '../../parts/status/plugin-health.js';
import { Ago } from '../../parts/time.js';

type QueueTableProps = Pick<System, 'queues' | 'waits'>;

type Queue = System['queues'][number];

const columns = ['Queue', 'Plugins', 'Workers', 'Last poll', 'Waiting for a worker'];

/** The pollers of each task queue, those without workers first. */
export function QueueTable({ queues, waits }: QueueTableProps): ReactElement {
  const sorted = queues.toSorted((one, other) => (one.pollers ?? 1) - (other.pollers ?? 1));
  return (
    <Table label="Task queues and their workers" columns={columns}>
      {sorted.map((queue) => (
        <tr key={queue.task_queue}>
          <th scope="row">
            <code>{queue.task_queue}</code>
          </th>
          <td>
            <Users queue={queue} />
          </td>
          <td>
            <HealthNote health={healthOf(queue)} />
          </td>
          <td>{queue.last_polled_at === null ? '–' : <Ago at={queue.last_polled_at} />}</td>
          <td>{waiting(queue, waits)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Users({ queue: { plugins, built_in } }: { readonly queue: Queue }): ReactElement {
  if (plugins.length === 0) return <>{built_in ? 'the service itself' : '–'}</>;
  return (
    <>
      {plugins.map(({ plugin_id, is_active }, at) => (
        <span key={plugin_id}>
          {at > 0 && ', '}
          <Link href={`/plugins/${plugin_id}`}>{plugin_id}</Link>
          {!is_active && ' (inactive)'}
        </span>
      ))}
    </>
  );
}

function healthOf({ pollers }: Queue): Health {
  if (pollers === null) return { tone: 'grey', text: 'Unknown' };
  return pollers === 0
    ? { tone: 'amber', text: 'No worker polls' }
    : { tone: 'green', text: plural(pollers, 'worker') };
}

function waiting({ plugins }: Queue, waits: System['waits']): string {
  const held = waits.filter(
    ({ kind, plugin_id }) => kind === 'worker' && plugins.some((plugin) => plugin.plugin_id === plugin_id),
  );
  return formatCount(held.reduce((sum, { count }) => sum + count, 0));
}
