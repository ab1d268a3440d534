import { Button, type ButtonProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactElement } from 'react';

interface SmallButtonProps extends ButtonProps {
  readonly Icon: Icon;
  /** The icon points forward, so it follows the label. */
  readonly isOnwards?: boolean;
  readonly onClick: () => void;
}

/** A small button with an icon. */
export function SmallButton({ Icon, isOnwards = false, ...rest }: SmallButtonProps): ReactElement {
  const icon = <Icon size={15} aria-hidden />;
  return (
    <Button
      size="xs"
      variant="default"
      {...(isOnwards ? { rightSection: icon } : { leftSection: icon })}
      {...rest}
    />
  );
}
