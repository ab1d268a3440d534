import type { ReactElement } from 'react';
import { Confirm } from '../parts/actions/confirm.js';
import { describeUnsaved, useHeldNavigation } from '../parts/actions/unsaved.js';

/** Asks before navigation discards unsaved changes. */
export function AskBeforeLeaving(): ReactElement | null {
  const held = useHeldNavigation();
  if (held === null) return null;
  const { note, discard } = describeUnsaved();
  return (
    <Confirm
      opened
      title="Leave without saving?"
      action={discard}
      keep="Stay here"
      onConfirm={held.leave}
      onClose={held.stay}
    >
      <p>{note}</p>
    </Confirm>
  );
}
