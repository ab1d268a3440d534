import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { Dialog } from '../../../parts/dialog.js';
import { Original } from './original.js';

/** Shows the file that the resource was made from over the view. */
export function ShowOriginal({ resource }: { readonly resource: Resource }): ReactElement {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Anchor component="button" type="button" inherit underline="always" onClick={open}>
        Show the original
      </Anchor>
      {isOpen && (
        <Dialog onClose={close} title={<bdi>{resource.name}</bdi>} size="xl">
          <Original resource={resource} page={null} />
        </Dialog>
      )}
    </>
  );
}
