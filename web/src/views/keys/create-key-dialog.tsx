import { useState, type ReactElement } from 'react';
import type { CreatedApiKey } from '@knowledge-warehouse/client';
import { Dialog } from '../../parts/actions/dialog.js';
import { SecretNote } from '../../parts/messages/secret-note.js';
import { CreateKeyForm } from './create-key-form.js';

/** Creates a key, and shows its secret once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={created === null ? 'Create key' : `“${created.name}” is created`}
      holdsSecret={created !== null}
    >
      {created === null ? (
        <CreateKeyForm onCreated={setCreated} onCancel={onClose} />
      ) : (
        <SecretNote secret={created.secret} onClose={onClose}>
          Programs send it as “Authorization: Bearer …”, and people log in with it. The service stores only a
          hash of it, so it cannot be shown again.
        </SecretNote>
      )}
    </Dialog>
  );
}
