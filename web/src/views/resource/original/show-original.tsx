import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { Dialog } from '../../../parts/actions/dialog.js';
import { ImagePreview } from './image-preview.js';
import { originalKind } from './kinds.js';
import { Original } from './original.js';
import classes from './original.module.css';

interface ShowOriginalProps {
  readonly resource: Resource;
  /** Shows an image as a thumbnail that opens it. */
  readonly isThumbnail?: boolean;
}

/** Bytes. Larger pictures have no thumbnail. */
const largestThumbnail = 5_000_000;

/** Whether the original is an image small enough to load automatically. */
export const hasThumbnail = (resource: Resource): boolean =>
  originalKind(resource) === 'image' && (resource.size_bytes ?? 0) <= largestThumbnail;

/** Shows the source file of the resource in a dialog. */
export function ShowOriginal({ resource, isThumbnail = false }: ShowOriginalProps): ReactElement {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {isThumbnail ? (
        <button type="button" className={classes.thumbnail} aria-label="Enlarge the picture" onClick={open}>
          <ImagePreview resource={resource} isSmall />
        </button>
      ) : (
        <Anchor component="button" type="button" inherit underline="always" onClick={open}>
          Show the original
        </Anchor>
      )}
      {isOpen && (
        <Dialog onClose={close} isLarge title={<bdi>{resource.name}</bdi>}>
          <Original resource={resource} page={null} />
        </Dialog>
      )}
    </>
  );
}
