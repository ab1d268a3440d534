import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { apiBase } from '../../../api/client.js';
import { formatBytes } from '../../../parts/format.js';
import { ImagePreview } from './image-preview.js';
import { originalKind, type OriginalKind } from './kinds.js';
import { OriginalText } from './original-text.js';
import { PdfFrame } from './pdf-frame.js';
import classes from './original.module.css';

interface OriginalProps {
  readonly resource: Resource;
  /** The page of a PDF; null: the first one. */
  readonly page: number | null;
}

/** Bytes. A larger original is loaded only on demand. */
const largestUnasked = 20_000_000;

/** The file from which the text was read: a PDF at its page, an image, a text, or a download link for anything else. */
export function Original({ resource, page }: OriginalProps): ReactElement | null {
  const { id, name, size_bytes, sha256 } = resource;
  const [isWanted, setIsWanted] = useState((size_bytes ?? 0) <= largestUnasked);
  if (size_bytes === null || sha256 === null) return null;
  const kind = originalKind(resource);
  return (
    <div className={classes.original}>
      {kind !== null && !isWanted && (
        <Button variant="default" onClick={() => setIsWanted(true)}>
          Show the original ({formatBytes(size_bytes)})
        </Button>
      )}
      {kind !== null && isWanted && <Shown kind={kind} resource={resource} page={page} />}
      <Button
        component="a"
        href={`${apiBase}/resources/${id}/source`}
        download={name}
        size="xs"
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
      >
        Download the original
      </Button>
    </div>
  );
}

function Shown({ kind, resource, page }: OriginalProps & { readonly kind: OriginalKind }): ReactElement {
  switch (kind) {
    case 'pdf':
      return <PdfFrame resource={resource} page={page ?? 1} />;
    case 'image':
      return <ImagePreview resource={resource} />;
    case 'text':
      return <OriginalText resource={resource} />;
  }
}
