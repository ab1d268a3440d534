import { useState, type ReactElement } from 'react';
import { MenuTrigger } from './menu-trigger.js';
import { OpenedMenu, type ResourceMenuProps } from './opened-menu.js';

/**
 * The actions of a resource. Until the first use there is only the button: a list has hundreds of menus, and each costs
 * more than the rest of its row.
 */
export function ResourceMenu(props: ResourceMenuProps): ReactElement {
  const [isUsed, setIsUsed] = useState(false);
  return isUsed ? (
    <OpenedMenu {...props} />
  ) : (
    <MenuTrigger
      label={`Actions for ${props.resource.name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsUsed(true)}
    />
  );
}
