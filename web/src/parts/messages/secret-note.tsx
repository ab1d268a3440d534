import { Button, Group, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { CopyButton } from '../actions/copy-button.js';
import { useUnsaved } from '../actions/unsaved.js';
import classes from './secret-note.module.css';
import { Notice } from './notice.js';

const signingNote =
  'The worker uses it to check that messages come from this service. Store it where the worker can read it. It cannot be shown again, only replaced.';

/** Shows a secret that is never shown again, and asks before it is lost. */
export function SecretNote({
  secret,
  children = signingNote,
  onClose,
}: {
  readonly secret: string;
  /** Explains what the secret is for; default: signing. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}): ReactElement {
  useUnsaved(true, 'secret');
  return (
    <Stack>
      <Notice tone="amber" icon={<IconKey size={19} />} title="This secret is shown once">
        {children}
      </Notice>
      <div className={classes.secret}>
        <code data-testid="signing-secret">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have stored it</Button>
      </Group>
    </Stack>
  );
}
