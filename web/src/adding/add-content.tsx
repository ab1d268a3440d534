import type { ReactElement } from 'react';
import { AddForm } from './add-form.js';
import { UploadList } from './upload-list.js';

interface AddContentProps {
  /** Files dropped on the page since the dialog opened, or to open it. */
  readonly files: readonly File[];
  readonly onClose: () => void;
}

/** Adds files and URLs, and shows their upload progress. Uploads continue when its dialog is closed. */
export default function AddContent({ files, onClose }: AddContentProps): ReactElement {
  return (
    <>
      <AddForm dropped={files} />
      <UploadList onClose={onClose} />
    </>
  );
}
