import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { System } from '@knowledge-warehouse/client';
import { api } from './client.js';

export const systemKey = ['system'] as const;

/** Returns the running parts and what blocks them. No event announces that a worker has stopped, so it is polled. */
export function useSystem(): UseQueryResult<System> {
  return useQuery({
    queryKey: systemKey,
    queryFn: async ({ signal }) => (await api.GET('/system', { signal })).value,
    refetchInterval: 15_000,
    staleTime: 5_000,
  });
}
