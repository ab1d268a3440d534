import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listPages, type Attempt } from '@knowledge-warehouse/client';
import { api } from './client.js';

/** The maximum number of attempts of a run to load; the newest ones are loaded. */
const mostAttempts = 2_000;

export const attemptKeys = {
  every: ['attempts'],
  all: (id: string) => ['attempts', id],
  run: (id: string, run: number) => ['attempts', id, run],
} as const;

/** Returns the attempts at the steps of a run, oldest first. */
export function useAttempts(id: string, run: number): UseQueryResult<readonly Attempt[]> {
  return useQuery({
    queryKey: attemptKeys.run(id, run),
    queryFn: async ({ signal }): Promise<readonly Attempt[]> => {
      const attempts: Attempt[] = [];
      const pages = listPages(
        (page) =>
          api.GET('/resources/{id}/attempts', { params: { path: { id }, query: { run, ...page } }, signal }),
        mostAttempts,
      );
      for await (const { items } of pages) attempts.push(...items);
      return attempts.toReversed();
    },
    enabled: run > 0,
  });
}
