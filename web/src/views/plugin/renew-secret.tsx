import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useRenewSecret } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { Confirm } from '../../parts/actions/confirm.js';
import { Dialog } from '../../parts/actions/dialog.js';
import { SecretNote } from '../../parts/messages/secret-note.js';

/** Replaces the secret that signs an HTTP plugin's messages. */
export function RenewSecret({ id }: { readonly id: string }): ReactElement {
  const [isOpen, dialog] = useDisclosure(false);
  const renew = useRenewSecret(id);
  const close = (): void => {
    // The response holds the new secret.
    if (renew.isPending) return;
    dialog.close();
    renew.reset();
  };
  return (
    <>
      <AllowedButton
        scope="admin"
        variant="default"
        leftSection={<IconKey size={16} aria-hidden />}
        onClick={dialog.open}
      >
        New secret
      </AllowedButton>
      {renew.data === undefined ? (
        <Confirm
          opened={isOpen}
          title="Create a new signing secret?"
          action="Create new secret"
          isPending={renew.isPending}
          error={renew.error}
          onConfirm={() => renew.mutate()}
          onClose={close}
        >
          <p>
            For 24 hours messages are also signed with the old secret, so that the worker can be updated
            without downtime. After that the old secret is invalid.
          </p>
        </Confirm>
      ) : (
        <Dialog onClose={close} title="The new signing secret" holdsSecret>
          <SecretNote secret={renew.data.signing_secret} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
