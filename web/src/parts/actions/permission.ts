import { allows, useSession, type Scope } from '../../api/session.js';

/** Returns why the key may not use a scope, or null if it may. */
export function useRefusal(scope: Scope): string | null {
  const { data: session } = useSession();
  if (allows(session, scope)) return null;
  return `Your key “${session?.api_key.name ?? ''}” does not allow this: it needs the scope “${scope}”.`;
}
