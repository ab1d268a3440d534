import { Menu } from '@mantine/core';
import { useRef, type ReactElement } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import { useRefusal } from '../actions/permission.js';
import { actionsFor, type ActionName } from './actions.js';
import { MenuTrigger } from './menu-trigger.js';
import { useResourceActions } from './use-resource-actions.js';
import classes from './resource-menu.module.css';

export interface ResourceMenuProps {
  readonly resource: ListedResource;
  /** Actions that are offered outside the menu. */
  readonly without?: readonly ActionName[];
}

/** The menu of a resource, which opens when it mounts. Actions disabled by state or scope show the reason. */
export function OpenedMenu({ resource, without = [] }: ResourceMenuProps): ReactElement {
  const actions = useResourceActions(resource);
  const forbidden = useRefusal('write');
  const trigger = useRef<HTMLButtonElement>(null);
  // Mantine does so only after the second opening.
  const returnFocus = (): void => trigger.current?.focus({ preventScroll: true });
  return (
    <Menu
      defaultOpened
      onClose={returnFocus}
      position="bottom-end"
      shadow="md"
      width={250}
      keepMounted={false}
      withinPortal
    >
      <Menu.Target>
        <MenuTrigger ref={trigger} label={`Actions for ${resource.name}`} isPending={actions.isPending} />
      </Menu.Target>
      <Menu.Dropdown>
        {actionsFor(resource)
          .filter(({ name }) => !without.includes(name))
          .map(({ name, label, Icon, refusal }) => {
            const why = forbidden ?? refusal;
            return (
              <Menu.Item
                key={name}
                leftSection={<Icon size={16} stroke={1.7} aria-hidden />}
                {...(name === 'delete' && { className: classes.danger ?? '' })}
                aria-disabled={why !== null}
                data-disabled={why !== null || undefined}
                closeMenuOnClick={why === null}
                onClick={() => why === null && actions.carryOut(name)}
              >
                {label}
                {why !== null && <span className={classes.why}>{why}</span>}
              </Menu.Item>
            );
          })}
      </Menu.Dropdown>
    </Menu>
  );
}
