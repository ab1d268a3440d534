import type { ReactElement } from 'react';
import { Confirm } from '../parts/actions/confirm.js';
import { useHeldNavigation } from '../parts/actions/unsaved.js';

/** Asks before navigation discards unsaved changes. */
export function AskBeforeLeaving(): ReactElement | null {
  const held = useHeldNavigation();
  if (held === null) return null;
  return (
    <Confirm
      opened
      title="Leave without saving?"
      action="Discard changes"
      keep="Stay here"
      isPending={false}
      error={null}
      onConfirm={held.leave}
      onClose={held.stay}
    >
      <p>Your changes are not saved yet.</p>
    </Confirm>
  );
}
