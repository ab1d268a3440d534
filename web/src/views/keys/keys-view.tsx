import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { ApiKey } from '@knowledge-warehouse/client';
import { useKeys } from '../../api/keys.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { KeyTable } from './key-table.js';
import { RevokeKey } from './revoke-key.js';

/** The API keys, for users allowed to see them. */
export default function KeysView(): ReactElement {
  const refusal = useRefusal('admin');
  return refusal === null ? (
    <Keys />
  ) : (
    <>
      <PageHeader title="Keys" />
      <EmptyState title="Only admin keys can see this">{refusal}</EmptyState>
    </>
  );
}

function Keys(): ReactElement {
  const keys = useKeys();
  const [isOpen, dialog] = useDisclosure(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <>
      <PageHeader
        title="Keys"
        description={
          <>
            Programs and people log in with these keys. The <Link href="/audit">audit log</Link> shows the
            changes made with each.
          </>
        }
        actions={
          <AllowedButton scope="admin" leftSection={<IconPlus size={17} aria-hidden />} onClick={dialog.open}>
            Create key
          </AllowedButton>
        }
      />
      {keys.data === undefined ? (
        <LoadingState query={keys} listLabel="Loading keys" />
      ) : (
        <KeyTable keys={keys.data} onRevoke={setRevoked} />
      )}
      {isOpen && <CreateKeyDialog onClose={dialog.close} />}
      {revoked !== null && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
