import { useState, type ReactElement } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import type { ActionName } from './actions.js';
import { MenuTrigger } from './menu-trigger.js';
import { UsedMenu } from './used-menu.js';

export interface ResourceMenuProps {
  readonly resource: ListedResource;
  /** The etag of the shown resource, if known. */
  readonly etag?: string | null;
  /** Actions that are offered outside the menu. */
  readonly without?: readonly ActionName[];
  readonly onDeleted?: () => void;
}

/**
 * The actions of a resource. Until the first use there is only the button: a list has hundreds of menus, and each costs
 * more than the rest of its row.
 */
export function ResourceMenu(props: ResourceMenuProps): ReactElement {
  const [isUsed, setIsUsed] = useState(false);
  return isUsed ? (
    <UsedMenu {...props} />
  ) : (
    <MenuTrigger
      label={`Actions for ${props.resource.name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsUsed(true)}
    />
  );
}
