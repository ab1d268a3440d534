import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { SearchAnswer, SearchStatus } from '@knowledge-warehouse/client';
import { api } from './client.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** The search query, as stored in the page's URL. */
export interface SearchQuery {
  readonly q: string;
  readonly mode: SearchMode;
  readonly limit: number;
  /** Filters by their API names. */
  readonly filters: readonly (readonly [name: string, value: string])[];
}

/** Returns the request's body. Several values of one name match any of them. */
function toBody({ q, mode, limit, filters }: SearchQuery): object {
  const named: Record<string, string[]> = {};
  const metadata: Record<string, string[]> = {};
  for (const [name, value] of filters) {
    const key = name.startsWith('metadata.') ? name.slice('metadata.'.length) : null;
    const group = key === null ? named : metadata;
    (group[key ?? name] ??= []).push(value);
  }
  return { q, mode, limit, ...named, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

/** Returns the best hits for a query. The previous hits stay until the new ones arrive. */
export function useSearchHits(query: SearchQuery): UseQueryResult<SearchAnswer> {
  return useQuery({
    queryKey: ['search', query],
    queryFn: async ({ signal }) =>
      // POST keeps the search text out of proxy logs.
      (await api.POST('/search', { body: toBody(query) as never, signal, repeatable: true })).value,
    enabled: query.q !== '',
    placeholderData: keepPreviousData,
    // Resources come and go, so a search is repeated when it is shown again.
    staleTime: 0,
  });
}

/** Returns how much is searchable, for searches without hits. */
export function useSearchStatus(enabled: boolean): UseQueryResult<SearchStatus> {
  return useQuery({
    queryKey: ['search', 'status'],
    queryFn: async ({ signal }) => (await api.GET('/search/status', { signal })).value,
    enabled,
    staleTime: 0,
  });
}
