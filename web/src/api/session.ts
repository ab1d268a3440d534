import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { Session } from '@knowledge-warehouse/client';
import { basePath } from '../base-path.js';
import { api, isApiError } from './client.js';
import { mayHaveSession, noteSession } from './session-hint.js';

export const sessionKey = ['session'] as const;

/** The paths at which a first visit usually starts. */
const frontDoors: readonly string[] = ['', '/', '/login'].map((path) => basePath + path);

async function loadSession(): Promise<Session | null> {
  if (!mayHaveSession() && frontDoors.includes(window.location.pathname)) return null;
  try {
    const { value: session } = await api.GET('/session');
    noteSession(true);
    return session;
  } catch (error) {
    if (!isApiError(error) || error.status !== 401) throw error;
    noteSession(false);
    return null;
  }
}

/** Returns the logged-in user; null if logged out. */
export function useSession(): UseQueryResult<Session | null> {
  return useQuery({ queryKey: sessionKey, queryFn: loadSession });
}

export type Credentials = { readonly api_key: string } | { readonly login_token: string };

export function useLogIn(): UseMutationResult<Session, Error, Credentials> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Credentials) => (await api.POST('/session', { body })).value,
    onSuccess: (session) => {
      noteSession(true);
      client.setQueryData(sessionKey, session);
    },
  });
}

export function useLogOut(): UseMutationResult<unknown, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/session'),
    onSuccess: () => {
      noteSession(false);
      forgetSession(client);
    },
  });
}

/** Shows the login, and clears all data of the previous session's key. */
export function forgetSession(client: QueryClient): void {
  client.setQueryData(sessionKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

export type Scope = 'write' | 'admin';

/** Whether the key has a scope: `admin` includes all scopes, and `write` includes `read`. */
export function allows(session: Session | null | undefined, scope: Scope): boolean {
  const scopes = session?.api_key.scopes ?? [];
  return scopes.includes('admin') || scopes.includes(scope);
}
