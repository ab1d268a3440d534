import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '@knowledge-warehouse/client';
import { Card } from '../../parts/layout/card.js';
import { Table } from '../../parts/layout/table.js';
import { formatTime } from '../../parts/format.js';

/** Changes, newest first. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }): ReactElement {
  return (
    <Card aria-label="Changes">
      <Table label="Who changed what" columns={['When', 'Key', 'Action', 'Object', 'Address', 'Request']}>
        {entries.map(({ id, at, key, action, object, address, request_id }) => (
          <tr key={id}>
            <td>
              <time dateTime={at}>{formatTime(new Date(at))}</time>
            </td>
            <td>{key === null ? 'kw keys' : <bdi title={key.id}>{key.name}</bdi>}</td>
            <td>
              <code>{action}</code>
            </td>
            <td>
              <ChangedObject object={object} />
            </td>
            <td>{address ?? '–'}</td>
            <td>{request_id === null ? '–' : <code>{request_id}</code>}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const viewsOf: Readonly<Record<string, string>> = {
  resource: '/resources',
  pipeline: '/pipelines',
  plugin: '/plugins',
};

/** The changed object, linked to its view if it has one. */
function ChangedObject({ object: { type, id } }: Pick<AuditEntry, 'object'>): ReactElement {
  const view = viewsOf[type];
  if (id === null) return <>{type}</>;
  return (
    <>
      {type}{' '}
      {view === undefined ? <code>{id}</code> : <Link href={`${view}/${encodeURIComponent(id)}`}>{id}</Link>}
    </>
  );
}
