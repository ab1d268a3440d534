import { createContext, useState, type ReactElement, type ReactNode } from 'react';
import { useChangeResource } from '../../api/resources.js';
import type { ListedResource } from '@knowledge-warehouse/client';
import { Confirm } from '../actions/confirm.js';
import { quoted } from '../format.js';
import { showDone } from '../messages/notices.js';
import { RenameDialog } from './rename-dialog.js';

interface Asked {
  readonly kind: 'rename' | 'delete';
  readonly resource: ListedResource;
}

/** Opens a dialog about a resource. */
export const OpenResourceDialog = createContext<(asked: Asked) => void>(() => undefined);

interface ResourceDialogsProps {
  /** The etag of the shown resource, if known. */
  readonly etag?: string | null;
  readonly onDeleted?: () => void;
  readonly children: ReactNode;
}

/** Holds the dialogs of the menus inside it. They stay open when their menu unmounts, for instance with its row. */
export function ResourceDialogs(props: ResourceDialogsProps): ReactElement {
  const { etag = null, onDeleted, children } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  return (
    <>
      <OpenResourceDialog value={setAsked}>{children}</OpenResourceDialog>
      {asked?.kind === 'rename' && <RenameDialog id={asked.resource.id} onClose={close} />}
      {asked?.kind === 'delete' && (
        <DeleteDialog resource={asked.resource} etag={etag} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly resource: ListedResource;
  readonly etag: string | null;
  readonly onClose: () => void;
  readonly onDeleted: (() => void) | undefined;
}

function DeleteDialog({ resource, etag, onClose, onDeleted }: DeleteDialogProps): ReactElement {
  const change = useChangeResource(resource.id);
  const remove = (): void =>
    change.mutate(
      { kind: 'delete', etag },
      {
        onSuccess: () => {
          showDone(`${quoted(resource.name)} was deleted`);
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
        This deletes{' '}
        <bdi>
          <strong>{resource.name}</strong>
        </bdi>{' '}
        with its source, its runs and all its artifacts, and the data that plugins stored elsewhere. This
        cannot be undone.
      </p>
    </Confirm>
  );
}
