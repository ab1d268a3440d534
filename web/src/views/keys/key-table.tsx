import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ApiKey } from '@knowledge-warehouse/client';
import { useSession } from '../../api/session.js';
import { Card } from '../../parts/layout/card.js';
import { Table } from '../../parts/layout/table.js';
import tables from '../../parts/layout/table.module.css';
import { useNow } from '../../parts/now.js';
import { Ago } from '../../parts/time.js';

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

const columns = ['Name', 'Begins with', 'Scopes', 'Created', 'Expires', 'Last used', 'Actions'];

/** All keys, newest first, with their scopes, expiry and last use. */
export function KeyTable({ keys, onRevoke }: KeyTableProps): ReactElement {
  return (
    <Card aria-label="Keys">
      <Table label="All keys" columns={columns}>
        {keys.map((key) => (
          <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </Table>
    </Card>
  );
}

function Row({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }): ReactElement {
  const { id, name, prefix, scopes, created_at, last_used_at, revoked_at } = apiKey;
  const { data: session } = useSession();
  return (
    <tr className={revoked_at === null ? undefined : tables.dim}>
      <th scope="row">
        <Link href={`/audit?key=${id}`} dir="auto">
          {name}
        </Link>
        {session?.api_key.id === id && ' (yours)'}
      </th>
      <td>
        <code>{prefix}</code>
      </td>
      <td>{scopes.join(', ')}</td>
      <td>
        <Ago at={created_at} />
      </td>
      <td>
        <Expiry apiKey={apiKey} />
      </td>
      <td>{last_used_at === null ? 'never' : <Ago at={last_used_at} />}</td>
      <td>
        {revoked_at === null ? (
          <Button size="compact-xs" variant="default" onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke …
          </Button>
        ) : (
          <>
            revoked <Ago at={revoked_at} />
          </>
        )}
      </td>
    </tr>
  );
}

function Expiry({ apiKey: { expires_at } }: { readonly apiKey: ApiKey }): ReactElement {
  const now = useNow();
  if (expires_at === null) return <>never</>;
  return Date.parse(expires_at) > now ? (
    <Ago at={expires_at} />
  ) : (
    <span className={tables.bad}>
      expired <Ago at={expires_at} />
    </span>
  );
}
