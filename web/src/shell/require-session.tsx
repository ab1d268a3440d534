import type { ReactElement, ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { useSession } from '../api/session.js';
import { Live } from '../live/live.js';
import { LoadingState } from '../parts/messages/loading-state.js';
import { hasUnsaved } from '../parts/actions/unsaved.js';
import { SessionEnded } from './session-ended.js';

/**
 * Requires a login: other visitors are sent to the login page and return afterwards. If a session ends while something
 * is unsaved, that stays, and a dialog over it asks for a key.
 */
export function RequireSession({ children }: { readonly children: ReactNode }): ReactElement {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  // A session that was loaded before stays valid while the service is away.
  if (session.data === undefined) return <LoadingState query={session} isWholeView />;
  const hasEnded = session.data?.hasEnded === true;
  if (session.data === null || (hasEnded && !hasUnsaved())) {
    const from = path + (search === '' ? '' : `?${search}`);
    return <Redirect to={from === '/' ? '/login' : `/login?from=${encodeURIComponent(from)}`} replace />;
  }
  return (
    <Live>
      {children}
      {hasEnded && <SessionEnded />}
    </Live>
  );
}
