import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { api, apiBase } from '../../../api/client.js';
import { ErrorState } from '../../../parts/error-state.js';
import { formatBytes } from '../../../parts/format.js';
import { PageLoader } from '../../../parts/page-loader.js';
import classes from './place-section.module.css';

interface OriginalProps {
  readonly resource: Resource;
  readonly page: number | null;
}

/** Bytes. A larger original is loaded when it is asked for. */
const largestUnasked = 20_000_000;
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Whether the original is a file that the page can show. */
export const canShow = ({ media_type, sha256 }: Resource): boolean =>
  sha256 !== null && (media_type === 'application/pdf' || images.includes(media_type ?? ''));

/** The file that the text was read from: a PDF at its page, a picture, or a link to anything else. */
export function Original({ resource, page }: OriginalProps): ReactElement | null {
  const { id, name, media_type, size_bytes, sha256 } = resource;
  const [isWanted, setIsWanted] = useState((size_bytes ?? 0) <= largestUnasked);
  if (size_bytes === null || sha256 === null) return null;
  const source = `${apiBase}/resources/${id}/source`;
  const isShown = canShow(resource);
  return (
    <div className={classes.original}>
      {isShown && !isWanted && (
        <Button variant="default" onClick={() => setIsWanted(true)}>
          Show the original ({formatBytes(size_bytes)})
        </Button>
      )}
      {isShown && isWanted && media_type === 'application/pdf' && (
        <PdfFrame id={id} version={sha256} name={name} page={page ?? 1} />
      )}
      {isShown && isWanted && media_type !== 'application/pdf' && (
        <img className={classes.image} src={source} alt={name} />
      )}
      <Button
        component="a"
        href={source}
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

interface PdfFrameProps {
  readonly id: string;
  /** The hash of its bytes. */
  readonly version: string;
  readonly name: string;
  readonly page: number;
}

/**
 * A PDF in the browser's own viewer. The API sandboxes what users uploaded, where no viewer starts, so the page loads
 * the bytes and shows them from memory, as the PDF that they are and nothing else.
 */
function PdfFrame({ id, version, name, page }: PdfFrameProps): ReactElement {
  const pdf = useQuery({
    queryKey: ['resources', 'source', id, version],
    queryFn: async ({ signal }) => {
      const bytes = await (await api.open(`/resources/${id}/source`, { signal })).arrayBuffer();
      return URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
    },
    gcTime: 0,
  });
  const url = pdf.data;
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url);
    },
    [url],
  );
  if (pdf.isLoadingError) return <ErrorState error={pdf.error} onRetry={() => void pdf.refetch()} />;
  if (url === undefined) return <PageLoader />;
  // A viewer reads the page of its address once, so another page is another frame.
  return (
    <iframe
      key={page}
      className={classes.frame}
      src={`${url}#page=${page}`}
      title={`${name}, page ${page}`}
    />
  );
}
