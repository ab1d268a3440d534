import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { forgetSession, useLogIn } from '../api/session.js';
import { Dialog } from '../parts/actions/dialog.js';
import { LogInForm } from '../parts/log-in-form.js';

/** Asks for a key over what is unsaved. What is behind it cannot be read meanwhile. */
export function SessionEnded(): ReactElement {
  const client = useQueryClient();
  const logIn = useLogIn();
  return (
    <Dialog
      title="Your session ended"
      onClose={() => undefined}
      withCloseButton={false}
      overlayProps={{ blur: 12 }}
    >
      <p>Your changes are not saved yet. Log in again to continue with them.</p>
      <LogInForm logIn={logIn}>
        <Button variant="default" onClick={() => forgetSession(client)} fullWidth>
          Discard changes
        </Button>
      </LogInForm>
    </Dialog>
  );
}
