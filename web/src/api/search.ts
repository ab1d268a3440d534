import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { SearchAnswer, SearchStatus } from '@knowledge-warehouse/client';
import { api } from './client.js';

/**
 * Returns the best hits for the body of a request; none for an empty query. The previous hits stay until the new ones
 * arrive.
 */
export function useSearchHits(search: {
  readonly q: string;
  readonly body: object;
}): UseQueryResult<SearchAnswer> {
  return useQuery({
    queryKey: ['search', search.body],
    queryFn: async ({ signal }) =>
      // POST keeps the search text out of proxy logs.
      (await api.POST('/search', { body: search.body as never, signal, repeatable: true })).value,
    enabled: search.q !== '',
    placeholderData: keepPreviousData,
    // Resources come and go, so a search is repeated when it is shown again.
    staleTime: 0,
  });
}

/** Returns how much is searchable. No event announces that the index has changed, so it is polled. */
export function useSearchStatus(enabled: boolean): UseQueryResult<SearchStatus> {
  return useQuery({
    queryKey: ['search', 'status'],
    queryFn: async ({ signal }) => (await api.GET('/search/status', { signal })).value,
    enabled,
    refetchInterval: 15_000,
    staleTime: 0,
  });
}
