import { Button, Group, Stack } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Problem } from '../messages/problem.js';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** The button's label: the action, not "OK". */
  readonly action: string;
  /** The label of the other button. */
  readonly keep?: string;
  /** The state of the request that carries it out, if there is one. */
  readonly isPending?: boolean;
  readonly error?: Error | null;
  /** Actions that resolve a refusal. */
  readonly remedy?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What will be lost. */
  readonly children: ReactNode;
}

/** Asks before something is lost. Shows why the action was refused. */
export function Confirm(props: ConfirmProps): ReactElement | null {
  const { opened, title, action, keep = 'Keep it', isPending = false, error = null, remedy } = props;
  const { onConfirm, onClose, children } = props;
  if (!opened) return null;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        <Problem error={error}>{remedy}</Problem>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isPending} onClick={onClose} data-autofocus>
            {keep}
          </Button>
          <Button color="red.8" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
