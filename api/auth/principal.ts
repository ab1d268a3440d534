import type { ApiKeyRow } from '../../storage/auth/api-keys.js';
import type { Session } from '../../storage/auth/sessions.js';

/** The caller of a request. */
export interface Principal {
  /** Of the API key. */
  readonly keyId: string;
  readonly keyName: string;
  /** `read`, `write`, `admin` and `plugin:{id}`, any number of them. */
  readonly scopes: readonly string[];
  /** The session of the request and its expiry unless it is used before; null for a bearer token. */
  readonly session: Pick<Session, 'hash' | 'expiresAt'> | null;
}

/** The scope that a route requires of an API key. */
export type KeyScope = 'read' | 'write' | 'admin';

const implied: Readonly<Record<KeyScope, readonly string[]>> = {
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
};

/** The principal of an API key, used directly or through a session. */
export function toPrincipal(key: ApiKeyRow, session: Principal['session']): Principal {
  return { keyId: key.id, keyName: key.name, scopes: key.scopes, session };
}

/** Whether a principal has a scope: `admin` holds `write`, `write` holds `read`. */
export function hasScope(principal: Principal, scope: KeyScope): boolean {
  return principal.scopes.some((held) => implied[scope].includes(held));
}

/** The ids of the plugins that a principal may act for. */
export function pluginsOf(principal: Principal): string[] {
  return principal.scopes
    .filter((scope) => scope.startsWith('plugin:'))
    .map((scope) => scope.slice('plugin:'.length));
}
