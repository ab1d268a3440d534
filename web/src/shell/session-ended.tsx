import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { forgetSession, useLogIn } from '../api/session.js';
import { Dialog } from '../parts/actions/dialog.js';
import { describeUnsaved } from '../parts/actions/unsaved.js';
import { LogInForm } from '../parts/log-in-form.js';

/** Asks for a key over what is unsaved. What is behind it cannot be read meanwhile. */
export function SessionEnded(): ReactElement {
  const client = useQueryClient();
  const logIn = useLogIn();
  const { note, discard } = describeUnsaved();
  return (
    <Dialog
      title="Your session ended"
      onClose={() => undefined}
      withCloseButton={false}
      overlayProps={{ blur: 12 }}
    >
      <p>{note} Log in again to continue.</p>
      <LogInForm logIn={logIn}>
        <Button variant="default" onClick={() => forgetSession(client)} fullWidth>
          {discard}
        </Button>
      </LogInForm>
    </Dialog>
  );
}
