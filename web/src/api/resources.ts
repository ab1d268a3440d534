import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { request, requestValue, toQuery } from './client.js';
import type {
  ArtifactContent,
  ListedResource,
  Page,
  Resource,
  ResourceStatus,
  Run,
  Tagged,
} from './types.js';

export interface ResourceFilter {
  readonly q?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly source_type?: string | undefined;
  readonly is_enabled?: string | undefined;
  readonly cursor?: string | undefined;
}

export const resourceKeys = {
  every: ['resources', 'one'],
  lists: ['resources', 'list'],
  list: (filter: ResourceFilter) => ['resources', 'list', filter],
  one: (id: string) => ['resources', 'one', id],
  runs: (id: string) => ['resources', 'runs', id],
  artifact: (id: string, artifactId: string, updatedAt: string) => ['artifacts', id, artifactId, updatedAt],
} as const;

const pageSize = 50;

/** A page of the list. What was shown stays until the new rows are there. */
export function useResources(filter: ResourceFilter): UseQueryResult<Page<ListedResource>> {
  return useQuery({
    queryKey: resourceKeys.list(filter),
    queryFn: ({ signal }) =>
      requestValue<Page<ListedResource>>(
        `/resources${toQuery({ ...filter, include: 'steps', limit: pageSize })}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

const waitsLookMs = 10_000;

/**
 * One resource. While it is processed it is also looked at now and then: who a step waits for is known to Temporal
 * alone, and no event tells it.
 */
export function useResource(id: string): UseQueryResult<Tagged<Resource>> {
  return useQuery({
    queryKey: resourceKeys.one(id),
    queryFn: ({ signal }) => request<Resource>(`/resources/${id}`, { signal }),
    enabled: ({ state }) => state.data?.isDeleted !== true,
    refetchInterval: ({ state }) => (state.data?.value.status === 'PROCESSING' ? waitsLookMs : false),
  });
}

export function useRuns(id: string): UseQueryResult<Page<Run>> {
  return useQuery({
    queryKey: resourceKeys.runs(id),
    queryFn: ({ signal }) => requestValue<Page<Run>>(`/resources/${id}/runs?limit=200`, { signal }),
  });
}

export function useArtifact(
  id: string,
  artifactId: string,
  updatedAt: string,
  enabled: boolean,
): UseQueryResult<ArtifactContent> {
  return useQuery({
    queryKey: resourceKeys.artifact(id, artifactId, updatedAt),
    queryFn: ({ signal }) =>
      requestValue<ArtifactContent>(`/resources/${id}/artifacts/${artifactId}`, { signal }),
    enabled,
    gcTime: 60_000,
  });
}

/** A change of one resource. */
export type ResourceChange =
  | { readonly kind: 'rename'; readonly name: string; readonly etag?: string | null }
  | { readonly kind: 'enable'; readonly is_enabled: boolean }
  | { readonly kind: 'reprocess'; readonly fromStep?: number | 'failed'; readonly idempotencyKey: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'delete'; readonly etag?: string | null };

function send(id: string, change: ResourceChange): Promise<unknown> {
  const path = `/resources/${id}`;
  switch (change.kind) {
    case 'rename':
      return request(path, { method: 'PATCH', body: { name: change.name }, ifMatch: change.etag ?? null });
    case 'enable':
      return request(path, { method: 'PATCH', body: { is_enabled: change.is_enabled } });
    case 'reprocess':
      return request(`${path}/reprocess`, {
        method: 'POST',
        body: change.fromStep === undefined ? {} : { from_step: change.fromStep },
        idempotencyKey: change.idempotencyKey,
      });
    case 'cancel':
      return request(`${path}/cancel`, { method: 'POST' });
    case 'delete':
      return request(path, { method: 'DELETE', ifMatch: change.etag ?? null });
  }
}

export function useChangeResource(id: string): UseMutationResult<unknown, Error, ResourceChange> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ResourceChange) => send(id, change),
    onSettled: (_answer, error, change) =>
      change.kind === 'delete' && error === null
        ? client.invalidateQueries({ queryKey: resourceKeys.lists })
        : Promise.all(
            [resourceKeys.one(id), resourceKeys.runs(id), resourceKeys.lists].map((queryKey) =>
              client.invalidateQueries({ queryKey }),
            ),
          ),
  });
}

export interface BulkFilter {
  readonly type?: string;
  readonly status?: ResourceStatus;
}

/** Answers how many resources get a new run. */
export function reprocessMany(
  filter: BulkFilter,
  idempotencyKey: string,
): Promise<{ readonly count: number }> {
  return requestValue('/resources/reprocess', { method: 'POST', body: filter, idempotencyKey });
}

export interface NewUrl {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export function registerUrl({ name, type, url, idempotencyKey, signal }: NewUrl): Promise<Resource> {
  return requestValue('/resources', {
    method: 'POST',
    body: { name, type, source: { kind: 'URL', url } },
    idempotencyKey,
    signal,
  });
}
