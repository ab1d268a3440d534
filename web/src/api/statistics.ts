import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Statistics } from '@knowledge-warehouse/client';
import { api } from './client.js';

export const statisticsKey = ['statistics'] as const;

/**
 * Returns statistics. Reloads them when events announce that something ended, and every minute, since the window moves.
 */
export function useStatistics(hours: number): UseQueryResult<Statistics> {
  return useQuery({
    queryKey: [...statisticsKey, hours],
    queryFn: async ({ signal }) =>
      (await api.GET('/statistics', { params: { query: { hours } }, signal })).value,
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  });
}
