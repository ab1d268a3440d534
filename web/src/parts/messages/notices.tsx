import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { explain } from './explain.js';

const closeButtonProps = { 'aria-label': 'Dismiss' } as const;

/** Shows in a corner, and announces to screen readers, that an action succeeded. */
export function showDone(message: string): void {
  notifications.show({
    message,
    icon: <IconCheck size={16} aria-hidden />,
    color: 'green',
    autoClose: 4_000,
    closeButtonProps,
  });
}

/** Shows why an action was refused, for long enough to read it. */
export function showProblem(error: Error): void {
  const { title, text } = explain(error);
  notifications.show({
    title,
    message: text,
    icon: <IconAlertTriangle size={16} aria-hidden />,
    color: 'red',
    autoClose: 12_000,
    closeButtonProps,
    role: 'alert',
  });
}
