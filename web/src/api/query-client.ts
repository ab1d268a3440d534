import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isAway } from './client.js';
import { onSessionElsewhere } from './session-hint.js';
import { endIfRefused, followSession } from './session.js';

/** Cached responses do not expire: events announce changes. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => endIfRefused(client, error);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A browser that believes it is offline may still reach a service on this host. Failures show whether it can.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        // By default this mode excludes it. It repeats only what failed or is stale.
        refetchOnReconnect: true,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && isAway(error),
      },
    },
  });
  onSessionElsewhere((keyId) => followSession(client, keyId));
  return client;
}
