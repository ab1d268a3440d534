import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { apiBase } from '../../../api/client.js';
import { useBlobUrl, useOriginal, useOriginalText } from '../../../api/contents.js';
import { formatBytes } from '../../../parts/format.js';
import { LoadingState } from '../../../parts/messages/loading-state.js';
import { largestAutoLoaded } from '../artifact/shown-artifact.js';
import { LongText } from '../artifact/text/long-text.js';
import { ImagePreview } from './image-preview.js';
import { originalKind, type OriginalKind } from './kinds.js';
import classes from './original.module.css';

interface OriginalProps {
  readonly resource: Resource;
  /** The page of a PDF; null: the first one. */
  readonly page: number | null;
}

/** The file from which the text was read: a PDF at its page, an image, a text, or a download link for anything else. */
export function Original({ resource, page }: OriginalProps): ReactElement | null {
  const { id, name, size_bytes, sha256 } = resource;
  const [isWanted, setIsWanted] = useState((size_bytes ?? 0) <= largestAutoLoaded);
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
      return navigator.pdfViewerEnabled ? (
        <PdfFrame resource={resource} page={page ?? 1} />
      ) : (
        <p className="dim">
          This browser does not show PDFs inside a page. Download the original to read it.
        </p>
      );
    case 'image':
      return <ImagePreview resource={resource} />;
    case 'text':
      return <OriginalText resource={resource} />;
  }
}

interface PdfFrameProps {
  readonly resource: Resource;
  readonly page: number;
}

/** Shows a PDF in the browser's own viewer, which most phones lack. */
function PdfFrame({ resource, page }: PdfFrameProps): ReactElement {
  const pdf = useOriginal(resource, 'application/pdf');
  const url = useBlobUrl(pdf.data);
  if (url === undefined) return <LoadingState query={pdf} />;
  // A viewer reads the page number in the URL only once, so another page needs another frame.
  return (
    <iframe
      key={page}
      className={classes.frame}
      src={`${url}#page=${page}`}
      title={`${resource.name}, page ${page}`}
    />
  );
}

/** Shows a text original unchanged: for HTML, its source. */
function OriginalText({ resource }: { readonly resource: Resource }): ReactElement {
  const text = useOriginalText(resource);
  if (text.data === undefined) return <LoadingState query={text} />;
  if (text.data === null)
    return <p className="dim">This text is not in UTF-8. Download the original to read it.</p>;
  return (
    <div className={classes.plain}>
      <LongText text={text.data} />
    </div>
  );
}
