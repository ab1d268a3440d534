import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  Query,
  QueryClient,
  QueryFunctionContext,
  UseMutationResult,
  UseQueryResult,
} from '@tanstack/react-query';
import type { Session } from '@knowledge-warehouse/client';
import { basePath } from '../base-path.js';
import { api, isApiError } from './client.js';
import { mayHaveSession, noteSession } from './session-hint.js';

export const sessionKey = ['session'] as const;

/** The paths at which a first visit usually starts. */
const frontDoors: readonly string[] = ['', '/', '/login'].map((path) => basePath + path);

/** The logged-in user. It stays known when the session has ended, so that the page can keep what was typed. */
export type KnownSession = Session & { readonly hasEnded?: true };

const asEnded = (session: KnownSession | null | undefined): KnownSession | null =>
  session ? { ...session, hasEnded: true } : null;

async function loadSession({ client, signal }: QueryFunctionContext): Promise<KnownSession | null> {
  if (!mayHaveSession() && frontDoors.includes(window.location.pathname)) return null;
  try {
    const { value: session } = await api.GET('/session', { signal });
    noteSession(session.api_key.id);
    const before = client.getQueryData<KnownSession>(sessionKey);
    if (before && !isSame(before, session.api_key.id)) reloadOthers(client);
    return session;
  } catch (error) {
    if (!isApiError(error, 'UNAUTHENTICATED')) throw error;
    noteSession(null);
    return asEnded(client.getQueryData<KnownSession>(sessionKey));
  }
}

/** Returns the logged-in user; null if logged out. */
export function useSession(): UseQueryResult<KnownSession | null> {
  return useQuery({ queryKey: sessionKey, queryFn: loadSession });
}

export type Credentials = { readonly api_key: string } | { readonly login_token: string };

export function useLogIn(): UseMutationResult<Session, Error, Credentials> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Credentials) => (await api.POST('/session', { body })).value,
    onSuccess: async (session) => {
      // A response to an earlier request is about the session before.
      await client.cancelQueries({ queryKey: sessionKey });
      noteSession(session.api_key.id);
      client.setQueryData(sessionKey, session);
      reloadOthers(client);
    },
  });
}

export function useLogOut(): UseMutationResult<unknown, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/session'),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: sessionKey });
      noteSession(null);
      forgetSession(client);
    },
  });
}

/** Whether it is any data but the session itself. */
const isOther = ({ queryKey }: Query): boolean => queryKey[0] !== sessionKey[0];

/** Reloads all data but the session, whose key may be another one than before. */
function reloadOthers(client: QueryClient): void {
  client.removeQueries({ predicate: isOther, type: 'inactive' });
  void client.invalidateQueries({ predicate: isOther });
}

/** Whether a session has not ended and has this API key. */
const isSame = ({ hasEnded, api_key }: KnownSession, keyId: string): boolean =>
  hasEnded !== true && api_key.id === keyId;

/** Follows another tab, which has logged in with an API key, or out. */
export function followSession(client: QueryClient, keyId: string | null): void {
  const known = client.getQueryData<KnownSession | null>(sessionKey);
  if (keyId === null) endSession(client);
  else if (!known || !isSame(known, keyId)) void client.invalidateQueries({ queryKey: sessionKey });
}

/**
 * Hides everything in this tab, and asks the service. If another tab has just logged in, the refused request had the
 * cookie of the session before, and this tab goes on.
 */
function endSession(client: QueryClient): void {
  const known = client.getQueryData<KnownSession | null>(sessionKey);
  if (!known || known.hasEnded === true) return;
  client.setQueryData(sessionKey, asEnded(known));
  void client.invalidateQueries({ queryKey: sessionKey });
}

/** Notes that the service may have ended the session, if an error means that. */
export function endIfRefused(client: QueryClient, error: unknown): void {
  if (isApiError(error, 'UNAUTHENTICATED')) endSession(client);
}

/** Shows the login, and clears all data of the previous session's key. */
export function forgetSession(client: QueryClient): void {
  client.setQueryData(sessionKey, null);
  client.removeQueries({ predicate: isOther });
}

export type Scope = 'write' | 'admin';

/** Whether the key has a scope: `admin` includes all scopes, and `write` includes `read`. */
export function allows(session: Session | null | undefined, scope: Scope): boolean {
  const scopes = session?.api_key.scopes ?? [];
  return scopes.includes('admin') || scopes.includes(scope);
}
