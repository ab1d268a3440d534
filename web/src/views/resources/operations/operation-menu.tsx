import { Button, Menu, Tooltip } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useRefusal } from '../../../parts/actions/permission.js';
import { bulkActions, type BulkAction } from './actions.js';
import classes from './operations.module.css';

interface OperationMenuProps {
  /** The affected resources: "All 1,234". */
  readonly label: string;
  readonly onAction: (action: BulkAction) => void;
}

/** Actions for all matching resources. */
export function OperationMenu({ label, onAction }: OperationMenuProps): ReactElement {
  const why = useRefusal('write');
  const button = (
    <Button
      variant="default"
      rightSection={<IconChevronDown size={15} aria-hidden />}
      {...(why !== null && { 'data-disabled': true, 'aria-disabled': true, 'aria-description': why })}
    >
      {label}
    </Button>
  );
  if (why !== null) return <Tooltip label={why}>{button}</Tooltip>;
  return (
    <Menu position="bottom-end" shadow="md" width={250} keepMounted={false} withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {bulkActions.map((action) => (
          <Menu.Item
            key={action.name}
            leftSection={<action.Icon size={16} stroke={1.7} aria-hidden />}
            {...(action.isDangerous === true && { className: classes.danger ?? '' })}
            onClick={() => onAction(action)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
