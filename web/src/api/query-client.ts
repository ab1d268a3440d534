import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError, isAway } from './client.js';
import { noteSession, onLogOutElsewhere } from './session-hint.js';
import { forgetSession, sessionKey } from './session.js';

/** Cached responses do not expire: events announce changes. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    // The session was ended or has expired: show the login.
    if (isApiError(error) && error.status === 401) {
      noteSession(false);
      client.setQueryData(sessionKey, null);
    }
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && isAway(error),
      },
    },
  });
  onLogOutElsewhere(() => forgetSession(client));
  return client;
}
