import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ArtifactContent, ListedResource, Resource, Run } from '@knowledge-warehouse/client';
import { attemptKeys } from './attempts.js';
import { api, ifMatch, orDeleted, type Page, type Tagged } from './client.js';

/** The query of the list, in the API's names. The API rejects unknown ones. */
export interface ListQuery {
  /** Several values of a filter mean any of them. */
  readonly filter: Readonly<Record<string, readonly string[]>>;
  readonly sort: string;
  readonly limit: number;
  readonly cursor: string | null;
}

/** A page of a list, with the total number of items. */
export interface CountedPage<Item> extends Page<Item> {
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
}

export const resourceKeys = {
  every: ['resources', 'one'],
  everyRun: ['resources', 'runs'],
  lists: ['resources', 'list'],
  list: (query: ListQuery) => ['resources', 'list', query],
  one: (id: string) => ['resources', 'one', id],
  runs: (id: string) => ['resources', 'runs', id],
  artifact: (id: string, artifactId: string, updatedAt: string) => ['artifacts', id, artifactId, updatedAt],
} as const;

/** Returns a page of the list. The previous rows stay until the new ones arrive. */
export function useResources(list: ListQuery): UseQueryResult<CountedPage<ListedResource>> {
  return useQuery({
    queryKey: resourceKeys.list(list),
    queryFn: ({ signal }) => loadResources(list, signal),
    placeholderData: keepPreviousData,
    meta: { pauseMs: list.limit > mostAtOnce ? longPagePauseMs : 0 },
  });
}

/** The API returns at most this many resources at once. */
const mostAtOnce = 200;
/** A page that takes many requests is reloaded less often. */
const longPagePauseMs = 15_000;

async function loadResources(list: ListQuery, signal: AbortSignal): Promise<CountedPage<ListedResource>> {
  const first = await loadPart(list, list.cursor, Math.min(list.limit, mostAtOnce), true, signal);
  // By id, because a resource that changes meanwhile may move to a later part.
  const items = new Map(first.items.map((item) => [item.id, item]));
  let next = first.next_cursor;
  while (next !== null && items.size < list.limit) {
    const part = await loadPart(list, next, Math.min(list.limit - items.size, mostAtOnce), false, signal);
    for (const item of part.items) items.set(item.id, item);
    next = part.next_cursor;
  }
  return { ...first, items: [...items.values()], next_cursor: next };
}

async function loadPart(
  { filter, sort }: ListQuery,
  cursor: string | null,
  limit: number,
  count: boolean,
  signal: AbortSignal,
): Promise<CountedPage<ListedResource>> {
  const query = {
    ...filter,
    ...(cursor !== null && { cursor }),
    ...(count && { count }),
    sort,
    limit,
    include: ['steps' as const],
  };
  return (await api.GET('/resources', { params: { query: query as object }, signal })).value;
}

const waitsLookMs = 10_000;

/**
 * Returns one resource. While it is processed it is also polled: only Temporal knows which worker a step waits for, and
 * no event announces it.
 */
export function useResource(id: string): UseQueryResult<Tagged<Resource>> {
  return useQuery({
    queryKey: resourceKeys.one(id),
    queryFn: ({ signal, client }): Promise<Tagged<Resource>> =>
      orDeleted(
        api.GET('/resources/{id}', { params: { path: { id } }, signal }),
        client.getQueryData(resourceKeys.one(id)),
      ),
    enabled: ({ state }) => state.data?.isDeleted !== true,
    refetchInterval: ({ state }) => (state.data?.value.status === 'PROCESSING' ? waitsLookMs : false),
  });
}

export function useRuns(id: string): UseQueryResult<Page<Run>> {
  return useQuery({
    queryKey: resourceKeys.runs(id),
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: 200 } };
      return (await api.GET('/resources/{id}/runs', { params, signal })).value;
    },
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
    queryFn: async ({ signal }) => {
      const params = { path: { id, artifactId } };
      return (await api.GET('/resources/{id}/artifacts/{artifactId}', { params, signal })).value;
    },
    enabled,
    gcTime: 60_000,
    // The cache key includes the version, so the content never changes; comparing large content would only cost time.
    staleTime: Infinity,
    structuralSharing: false,
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
  const path = { id };
  switch (change.kind) {
    case 'rename':
      return api.PATCH('/resources/{id}', {
        params: { path, header: ifMatch(change.etag) },
        body: { name: change.name },
      });
    case 'enable':
      return api.PATCH('/resources/{id}', { params: { path }, body: { is_enabled: change.is_enabled } });
    case 'reprocess':
      return api.POST('/resources/{id}/reprocess', {
        params: { path, header: { 'Idempotency-Key': change.idempotencyKey } },
        body: change.fromStep === undefined ? {} : { from_step: change.fromStep },
      });
    case 'cancel':
      return api.POST('/resources/{id}/cancel', { params: { path } });
    case 'delete':
      return api.DELETE('/resources/{id}', { params: { path, header: ifMatch(change.etag) } });
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
            [resourceKeys.one(id), resourceKeys.runs(id), attemptKeys.all(id), resourceKeys.lists].map(
              (queryKey) => client.invalidateQueries({ queryKey }),
            ),
          ),
  });
}

/** Returns how many resources wait for a worker, a callback or a retry. */
export function useWaitingCount(): UseQueryResult<number> {
  return useQuery({
    queryKey: ['waiting'],
    queryFn: async ({ signal }) => {
      const query = { waiting: true, count: true, limit: 1 };
      const { value } = await api.GET('/resources', { params: { query }, signal });
      return value.total?.value ?? 0;
    },
    refetchInterval: 15_000,
  });
}
