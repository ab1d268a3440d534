import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '@knowledge-warehouse/client';
import { Card } from '../../parts/layout/card.js';
import { formatTime } from '../../parts/format.js';
import tables from '../../parts/layout/table.module.css';

/** Changes, newest first. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }): ReactElement {
  return (
    <Card aria-label="Changes">
      <div className={tables.frame} tabIndex={0} role="region" aria-label="Who changed what">
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Key</th>
              <th scope="col">Action</th>
              <th scope="col">Object</th>
              <th scope="col">Address</th>
              <th scope="col">Request</th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </div>
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
