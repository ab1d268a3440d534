import { useState, type ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { useBlobUrl, useOriginal } from '../../../api/contents.js';
import { LoadingState } from '../../../parts/messages/loading-state.js';
import { formatCount } from '../../../parts/format.js';
import classes from './original.module.css';

interface ImagePreviewProps {
  readonly resource: Resource;
  /** Shows a small image next to other facts. */
  readonly isSmall?: boolean;
}

/** An image with its dimensions, or a message if the bytes are not an image. */
export function ImagePreview({ resource, isSmall = false }: ImagePreviewProps): ReactElement {
  const image = useOriginal(resource, resource.media_type ?? '');
  const url = useBlobUrl(image.data);
  const [size, setSize] = useState<'broken' | readonly [number, number] | null>(null);
  if (url === undefined) return <LoadingState query={image} />;
  if (size === 'broken') return <p className="dim">The browser cannot read this picture.</p>;
  return (
    <figure className={isSmall ? classes.small : classes.figure}>
      <img
        className={classes.image}
        src={url}
        alt={resource.name}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize([naturalWidth, naturalHeight])
        }
        onError={() => setSize('broken')}
      />
      {!isSmall && size !== null && (
        <figcaption className="dim small">
          {formatCount(size[0])} × {formatCount(size[1])} pixels
        </figcaption>
      )}
    </figure>
  );
}
