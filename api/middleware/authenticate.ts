import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import { findApiKey } from '../../storage/api-keys.js';
import type { ApiDeps } from '../deps.js';
import { hasScope, pluginsOf, toPrincipal, type KeyScope, type Principal } from '../principal.js';
import type { Route } from '../route.js';

/** The token of `Authorization: Bearer …` (RFC 6750 §2.1), or null. */
export function bearerToken(ctx: Pick<Context, 'get'>): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(ctx.get('authorization'))?.[1] ?? null;
}

/**
 * The principal whom a route lets in; null on routes that ask for no API key.
 * Throws UNAUTHENTICATED without a valid key and FORBIDDEN when its scopes do not suffice.
 */
export async function authenticate(ctx: Context, deps: ApiDeps, route: Route): Promise<Principal | null> {
  const { scope } = route;
  if (scope === 'open' || scope === 'token') return null;
  const token = bearerToken(ctx);
  if (token === null) {
    throw new ServiceError('UNAUTHENTICATED', 'An API key is needed: Authorization: Bearer kw_…');
  }
  const key = await findApiKey(deps.db, token);
  if (key === null) throw new ServiceError('UNAUTHENTICATED', 'This API key is unknown, revoked or expired.');
  const principal = toPrincipal(key);
  if (!isLetIn(principal, scope, route, ctx)) {
    throw new ServiceError('FORBIDDEN', `This API key may not do that: the scope ${scope} is needed.`, {
      required_scope: scope,
    });
  }
  return principal;
}

function isLetIn(principal: Principal, scope: KeyScope, route: Route, ctx: Context): boolean {
  if (hasScope(principal, scope)) return true;
  const plugins = pluginsOf(principal);
  const { id } = ctx['params'] as { readonly id?: string };
  if (route.pluginKeys === 'own') return id !== undefined && plugins.includes(id);
  return route.pluginKeys === 'any' && plugins.length > 0;
}
