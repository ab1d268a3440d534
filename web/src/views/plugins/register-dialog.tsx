import { useState, type ReactElement } from 'react';
import type { RegisteredPlugin } from '@knowledge-warehouse/client';
import { Dialog } from '../../parts/actions/dialog.js';
import { SecretNote } from '../../parts/messages/secret-note.js';
import { RegisterForm } from './register-form.js';

/** Registers an HTTP plugin, and shows its secret once. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [registered, setRegistered] = useState<RegisteredPlugin | null>(null);
  const secret = registered?.signing_secret;
  return (
    <Dialog
      onClose={onClose}
      title={registered === null ? 'Register HTTP plugin' : `“${registered.name}” is registered`}
      size="lg"
      holdsSecret={registered !== null}
    >
      {secret === undefined ? (
        <RegisterForm onRegistered={setRegistered} onCancel={onClose} />
      ) : (
        <SecretNote secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}
