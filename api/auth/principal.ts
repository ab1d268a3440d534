import type { ApiKeyRow } from '../../storage/auth/api-keys.js';
import type { Session } from '../../storage/auth/sessions.js';

/** The caller of a request. */
export interface Principal {
  /** The id of the API key. */
  readonly keyId: string;
  readonly keyName: string;
  /** Any of `read`, `write`, `admin` and `plugin:{id}`. */
  readonly scopes: readonly string[];
  /** The session of the request, and when it expires if it is not used again; null for a bearer token. */
  readonly session: Pick<Session, 'hash' | 'expiresAt'> | null;
}

/** The scope that a route requires of an API key. */
export type KeyScope = 'read' | 'write' | 'admin';

const implied: Readonly<Record<KeyScope, readonly string[]>> = {
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
};

/** Returns the principal of an API key that is used directly or through a session. */
export function toPrincipal(key: ApiKeyRow, session: Principal['session']): Principal {
  return { keyId: key.id, keyName: key.name, scopes: key.scopes, session };
}

/** Whether a principal has a scope: `admin` includes `write`, and `write` includes `read`. */
export function hasScope(principal: Principal, scope: KeyScope): boolean {
  return principal.scopes.some((held) => implied[scope].includes(held));
}

/** Returns the ids of the plugins that a principal may act for. */
export function pluginsOf(principal: Principal): string[] {
  return principal.scopes
    .filter((scope) => scope.startsWith('plugin:'))
    .map((scope) => scope.slice('plugin:'.length));
}
