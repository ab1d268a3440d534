import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { requestValue } from './client.js';
import type { Statistics } from './types.js';

export const statisticsKey = ['statistics'] as const;

/** Asked for again when events say that something ended, and once a minute, since a window moves by itself. */
export function useStatistics(hours: number): UseQueryResult<Statistics> {
  return useQuery({
    queryKey: [...statisticsKey, hours],
    queryFn: ({ signal }) => requestValue<Statistics>(`/statistics?hours=${hours}`, { signal }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  });
}
