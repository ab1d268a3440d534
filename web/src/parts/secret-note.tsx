import { Button, Group, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { CopyButton } from './copy-button.js';
import classes from './secret-note.module.css';
import { Notice } from './notice.js';

/** A signing secret, which is shown here alone. */
export function SecretNote({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <Stack>
      <Notice tone="amber" icon={<IconKey size={19} />} title="This secret is shown once">
        The worker checks with it that messages come from here. Store it where the worker finds it; it cannot
        be read again, only replaced.
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
