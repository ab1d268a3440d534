import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { SearchAnswer, SearchStatus } from '@knowledge-warehouse/client';
import { api } from './client.js';

const searchKeys = {
  all: ['search'],
  hits: ['search', 'hits'],
  status: ['search', 'status'],
} as const;

/**
 * Returns the best hits for the body of a request, with the search that found them; none for an empty query. The previous
 * hits stay until the new ones arrive.
 */
export function useSearchHits<Search extends { readonly q: string; readonly body: object }>(
  search: Search,
): UseQueryResult<SearchAnswer & { readonly search: Search }> {
  return useQuery({
    queryKey: [...searchKeys.hits, search.body],
    queryFn: async ({ signal }) => {
      // POST keeps the search text out of proxy logs.
      const request = { body: search.body as never, signal, repeatable: true };
      return { ...(await api.POST('/search', request)).value, search };
    },
    enabled: search.q !== '',
    placeholderData: keepPreviousData,
    // Resources come and go, so a search is repeated when it is shown again.
    staleTime: 0,
  });
}

/** Returns a function that repeats the search that is shown. */
export function useSearchAgain(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: searchKeys.all });
}

/**
 * Returns how much is searchable. No event announces that the index has changed, so it is polled. After a change, the
 * search that is shown is repeated.
 */
export function useSearchStatus(): UseQueryResult<SearchStatus> {
  return useQuery({
    queryKey: searchKeys.status,
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<SearchStatus>(searchKeys.status);
      const { value } = await api.GET('/search/status', { signal });
      if (before !== undefined && (before.pending !== value.pending || before.resources !== value.resources))
        void client.invalidateQueries({ queryKey: searchKeys.hits });
      return value;
    },
    refetchInterval: 15_000,
    staleTime: 0,
  });
}
