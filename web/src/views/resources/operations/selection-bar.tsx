import { Button, CloseButton } from '@mantine/core';
import type { ReactElement } from 'react';
import { AllowedButton } from '../../../parts/actions/allowed-button.js';
import { formatCount, plural } from '../../../parts/format.js';
import type { Selection } from '../selection.js';
import { bulkActions, type BulkAction } from './actions.js';
import classes from './operations.module.css';

interface SelectionBarProps {
  readonly selection: Selection;
  /** The number of matching resources, if they are more than the page has or than an operation takes one by one. */
  readonly matching: string | null;
  readonly onAction: (action: BulkAction) => void;
}

/** An operation takes at most this many ids. */
export const mostIds = 1_000;

/** Actions for the selected resources. */
export function SelectionBar(props: SelectionBarProps): ReactElement {
  const { selection, matching, onAction } = props;
  const { ids, isPageSelected, isAllSelected, selectAll, clear } = selection;
  const refusal =
    !isAllSelected && ids.size > mostIds
      ? `At most ${formatCount(mostIds)} resources can be selected one by one. Select fewer, or all that match.`
      : null;
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selected resources">
      <CloseButton aria-label="Clear the selection" onClick={clear} />
      <span className={classes.count} role="status">
        {isAllSelected && matching !== null
          ? `All ${matching} matching resources are selected`
          : `${plural(ids.size, 'resource')} selected`}
      </span>
      {matching !== null && isPageSelected && !isAllSelected && (
        <Button size="compact-sm" variant="subtle" onClick={selectAll}>
          Select all {matching} that match
        </Button>
      )}
      <div className={classes.buttons}>
        {bulkActions.map((action) => (
          <AllowedButton
            key={action.name}
            scope="write"
            refusal={refusal}
            size="compact-sm"
            variant="default"
            {...(action.isDangerous === true && { className: classes.danger ?? '' })}
            leftSection={<action.Icon size={15} aria-hidden />}
            onClick={() => onAction(action)}
          >
            {action.label}
          </AllowedButton>
        ))}
      </div>
    </div>
  );
}
