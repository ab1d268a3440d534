import type { ReactElement } from 'react';
import { Dialog } from '../parts/actions/dialog.js';
import { AddForm } from './add-form.js';
import { UploadList } from './upload-list.js';

interface AddDialogProps {
  /** Files dropped on the page. */
  readonly files: readonly File[];
  readonly onClose: () => void;
}

/** Adds files and URLs, and shows their upload progress. Uploads continue when it is closed. */
export default function AddDialog({ files, onClose }: AddDialogProps): ReactElement {
  return (
    <Dialog onClose={onClose} title="Add resources" size="lg">
      <AddForm dropped={files} />
      <UploadList onClose={onClose} />
    </Dialog>
  );
}
