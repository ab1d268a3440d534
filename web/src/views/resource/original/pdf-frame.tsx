import type { ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { useBlobUrl, useOriginal } from '../../../api/contents.js';
import { LoadingState } from '../../../parts/messages/loading-state.js';
import classes from './original.module.css';

interface PdfFrameProps {
  readonly resource: Resource;
  readonly page: number;
}

/** Shows a PDF in the browser's own viewer, which most phones lack. */
export function PdfFrame(props: PdfFrameProps): ReactElement {
  if (!navigator.pdfViewerEnabled)
    return (
      <p className="dim">This browser does not show PDFs inside a page. Download the original to read it.</p>
    );
  return <Viewer {...props} />;
}

function Viewer({ resource, page }: PdfFrameProps): ReactElement {
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
