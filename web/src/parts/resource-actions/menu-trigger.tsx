import { Loader } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ComponentProps, ReactElement } from 'react';
import classes from './resource-menu.module.css';

interface MenuTriggerProps extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'> {
  readonly label: string;
  readonly isPending?: boolean;
}

/** The button that opens a menu. A plain element, because a list has hundreds. */
export function MenuTrigger({ label, isPending = false, ...rest }: MenuTriggerProps): ReactElement {
  return (
    <button {...rest} type="button" className={classes.trigger} aria-label={label} disabled={isPending}>
      {isPending ? <Loader size={16} color="gray" /> : <IconDots size={18} aria-hidden />}
    </button>
  );
}
