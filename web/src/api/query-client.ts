import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from './client.js';
import { noteSession, onLogOutElsewhere } from './session-hint.js';
import { forgetSession, sessionKey } from './session.js';

/** Answers are kept as they are: events say when they changed. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    // The session ended, at the server or by its time: what asked for it shows the log-in.
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
        retry: (failures, error) =>
          failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500),
      },
    },
  });
  onLogOutElsewhere(() => forgetSession(client));
  return client;
}
