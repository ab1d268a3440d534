import { Button, Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import { Announce } from '../parts/messages/announce.js';
import { isUnderWay } from '../uploads/upload-queue.js';
import { useUploadItems } from '../uploads/uploads.js';

/** Shows that uploads are running while the dialog is closed, and opens it. */
export function UploadsButton({ onClick }: { readonly onClick: () => void }): ReactElement | null {
  const items = useUploadItems();
  const underWay = items.filter(isUnderWay).length;
  const failed = items.filter(({ state }) => state.kind === 'failed').length;
  if (underWay === 0 && failed === 0) return null;
  const text = underWay > 0 ? `Adding ${underWay}` : `${failed} not added`;
  return (
    <>
      <Button
        variant="light"
        color={underWay > 0 ? 'iris' : 'red'}
        leftSection={underWay > 0 ? <Loader size={14} aria-hidden /> : null}
        onClick={onClick}
      >
        {text}
      </Button>
      <Announce>{underWay === 0 ? `${failed} not added` : ''}</Announce>
    </>
  );
}
