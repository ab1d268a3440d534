import type { ReactElement } from 'react';
import { useChangeResource } from '../../api/resources.js';
import type { ListedResource } from '@knowledge-warehouse/client';
import { Confirm } from '../actions/confirm.js';
import { showDone } from '../messages/notices.js';
import { RenameDialog } from './rename-dialog.js';
import type { OpenDialog } from './use-resource-actions.js';

interface ResourceDialogsProps {
  readonly resource: ListedResource;
  readonly etag: string | null;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
  readonly onDeleted: (() => void) | undefined;
}

/** The dialogs that are open, if any. */
export function ResourceDialogs(props: ResourceDialogsProps): ReactElement | null {
  const { resource, etag, dialog, onClose, onDeleted } = props;
  if (dialog === 'rename') return <RenameDialog id={resource.id} onClose={onClose} />;
  if (dialog === 'delete') {
    return <DeleteDialog resource={resource} etag={etag} onClose={onClose} onDeleted={onDeleted} />;
  }
  return null;
}

function DeleteDialog(props: Omit<ResourceDialogsProps, 'dialog'>): ReactElement {
  const { resource, etag, onClose, onDeleted } = props;
  const change = useChangeResource(resource.id);
  const remove = (): void =>
    change.mutate(
      { kind: 'delete', etag },
      {
        onSuccess: () => {
          showDone(`“${resource.name}” is deleted`);
          onClose();
          onDeleted?.();
        },
      },
    );
  return (
    <Confirm
      opened
      title="Delete this resource?"
      action="Delete"
      isPending={change.isPending}
      error={change.error}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        This deletes <strong>{resource.name}</strong> with its source, its runs and all its artifacts, and the
        data that plugins stored elsewhere. This cannot be undone.
      </p>
    </Confirm>
  );
}
