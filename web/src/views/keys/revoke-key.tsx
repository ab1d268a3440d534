import type { ReactElement } from 'react';
import type { ApiKey } from '@knowledge-warehouse/client';
import { useDeleteKey } from '../../api/keys.js';
import { useSession } from '../../api/session.js';
import { Confirm } from '../../parts/actions/confirm.js';
import { quoted } from '../../parts/format.js';
import { showDone } from '../../parts/messages/notices.js';

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Revokes a key after confirmation. Shows why the last admin key cannot be revoked. */
export function RevokeKey({ apiKey, onClose }: RevokeKeyProps): ReactElement {
  const { id, name } = apiKey;
  const remove = useDeleteKey();
  const { data: session } = useSession();
  return (
    <Confirm
      opened
      title="Revoke this key?"
      action="Revoke"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            showDone(`${quoted(name)} was revoked`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>
        “<bdi>{name}</bdi>” and its sessions stop working with the next request. This cannot be undone.
      </p>
      {session?.api_key.id === id && <p>You are logged in with this key, so you will be logged out.</p>}
    </Confirm>
  );
}
