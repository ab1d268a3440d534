import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { api } from './client.js';

/** Loads only the content of an artifact, as it is stored. */
export const openContent = (
  resourceId: string,
  artifactId: string,
  signal?: AbortSignal,
): Promise<Response> =>
  api.open(`/resources/${resourceId}/artifacts/${artifactId}`, {
    headers: { Accept: 'application/octet-stream' },
    signal,
  });

const endings: Readonly<Record<Artifact['content_type'], string>> = {
  text: 'txt',
  json: 'json',
  vector: 'json',
};

/** Returns the file name for an artifact's content. */
export function fileNameOf(
  { name }: Pick<Resource, 'name'>,
  { type, content_type, metadata }: Artifact,
): string {
  const isMarkdown = content_type === 'text' && metadata['text_format'] === 'markdown';
  return `${name}.${type}.${isMarkdown ? 'md' : endings[content_type]}`;
}

/**
 * Loads the original of a resource into memory, as a blob with this media type. The API sandboxes user uploads, and
 * browser viewers do not start in a sandbox. A blob is always shown as the media type that the page sets.
 */
export function useOriginal(
  { id, sha256 }: Pick<Resource, 'id' | 'sha256'>,
  mediaType: string,
): UseQueryResult<Blob> {
  return useQuery({
    queryKey: ['resources', 'source', id, sha256, mediaType],
    queryFn: async ({ signal }) => {
      const bytes = await (await api.open(`/resources/${id}/source`, { signal })).arrayBuffer();
      return new Blob([bytes], { type: mediaType });
    },
    gcTime: 0,
    staleTime: Infinity,
  });
}

/** Returns a URL of a blob that is valid while the calling component is mounted. Components may share the blob. */
export function useBlobUrl(blob: Blob | undefined): string | undefined {
  const url = useMemo(() => blob && URL.createObjectURL(blob), [blob]);
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url);
    },
    [url],
  );
  return url;
}

/** Loads the original of a resource as text; null if its bytes are not UTF-8. */
export function useOriginalText({
  id,
  sha256,
}: Pick<Resource, 'id' | 'sha256'>): UseQueryResult<string | null> {
  return useQuery({
    queryKey: ['resources', 'source-text', id, sha256],
    queryFn: async ({ signal }) => {
      const bytes = await (await api.open(`/resources/${id}/source`, { signal })).arrayBuffer();
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        return null;
      }
    },
    gcTime: 0,
    staleTime: Infinity,
    structuralSharing: false,
  });
}
