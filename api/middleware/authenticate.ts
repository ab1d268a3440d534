import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import { findApiKey, type ApiKeyRow } from '../../storage/api-keys.js';
import type { ApiDeps } from '../deps.js';
import { hasScope, pluginsOf, toPrincipal, type KeyScope, type Principal } from '../principal.js';
import { rateLimited } from '../rate-limits.js';
import type { Route } from '../route.js';

/** The token of `Authorization: Bearer …` (RFC 6750 §2.1), or null. */
export function bearerToken(ctx: Pick<Context, 'get'>): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(ctx.get('authorization'))?.[1] ?? null;
}

/**
 * The principal whom a route lets in; null on routes that ask for no API key. Throws UNAUTHENTICATED without a valid
 * key, FORBIDDEN when its scopes do not suffice, and RATE_LIMITED when it, or this address without one, came too often.
 */
export async function authenticate(ctx: Context, deps: ApiDeps, route: Route): Promise<Principal | null> {
  const { scope } = route;
  if (scope === 'open' || scope === 'token') return null;
  const key = await identify(ctx, deps);
  await countRequest(ctx, deps, key);
  const principal = toPrincipal(key);
  if (!isLetIn(principal, scope, route, ctx)) {
    throw new ServiceError('FORBIDDEN', `This API key may not do that: the scope ${scope} is needed.`, {
      required_scope: scope,
    });
  }
  return principal;
}

async function identify(ctx: Context, { db, rateLimits }: ApiDeps): Promise<ApiKeyRow> {
  const token = bearerToken(ctx);
  await rateLimits.admitAttempt(ctx.ip, token);
  const key = token === null ? null : await findApiKey(db, token);
  if (token === null || key === null) {
    await rateLimits.countFailure(ctx.ip);
    throw new ServiceError(
      'UNAUTHENTICATED',
      token === null
        ? 'An API key is needed: Authorization: Bearer kw_…'
        : 'This API key is unknown, revoked or expired.',
    );
  }
  rateLimits.remember(token);
  return key;
}

/** The headers are those of draft-ietf-httpapi-ratelimit-headers up to its revision 06: three fields, Reset in seconds. */
async function countRequest(ctx: Context, { rateLimits }: ApiDeps, key: ApiKeyRow): Promise<void> {
  const quota = await rateLimits.count(key.id, key.rate_limit);
  if (quota === null) return;
  const { limit, remaining, reset } = quota;
  ctx.set({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(remaining, 0)),
    'RateLimit-Reset': String(reset),
  });
  if (remaining < 0) {
    throw rateLimited(`This API key may be used for ${limit} requests per minute.`, limit, reset);
  }
}

function isLetIn(principal: Principal, scope: KeyScope, route: Route, ctx: Context): boolean {
  if (hasScope(principal, scope)) return true;
  const plugins = pluginsOf(principal);
  const { id } = ctx['params'] as { readonly id?: string };
  if (route.pluginKeys === 'own') return id !== undefined && plugins.includes(id);
  return route.pluginKeys === 'any' && plugins.length > 0;
}
