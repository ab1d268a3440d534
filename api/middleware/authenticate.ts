import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import type { ApiKeyRow } from '../../storage/auth/api-keys.js';
import { findSession, type Session } from '../../storage/auth/sessions.js';
import { checkCredential, countRequest, refusalOfKey } from '../auth/credentials.js';
import type { ApiDeps } from '../deps.js';
import { requireOwnOrigin } from '../auth/own-origin.js';
import { hasScope, pluginsOf, toPrincipal, type KeyScope, type Principal } from '../auth/principal.js';
import type { Route } from '../route.js';
import { sessionToken } from '../auth/session-cookie.js';
import type { ApiState } from './request-id.js';

/** Returns the token of `Authorization: Bearer …` (RFC 6750 §2.1), or null. */
export function bearerToken(ctx: Pick<Context, 'get'>): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(ctx.get('authorization'))?.[1] ?? null;
}

/**
 * Returns the principal of a request; null on routes that need no API key. Throws UNAUTHENTICATED without a valid key
 * or session, FORBIDDEN if its scopes do not suffice or a session is used from another origin, and RATE_LIMITED if the
 * key, or an address without one, sent too many requests.
 */
export async function authenticate(ctx: Context, deps: ApiDeps, route: Route): Promise<Principal | null> {
  const { scope } = route;
  if (scope === 'open' || scope === 'token') return null;
  const { key, session } = await identify(ctx, deps, route);
  (ctx.state as ApiState).keyId = key.id;
  await countRequest(ctx, deps, key);
  const principal = toPrincipal(key, session);
  if (!isLetIn(principal, scope, route, ctx)) {
    throw new ServiceError('FORBIDDEN', `This API key does not allow this: it needs the scope ${scope}.`, {
      required_scope: scope,
    });
  }
  return principal;
}

/** Finds the key of the request, and its session. A bearer token takes precedence over a cookie. */
async function identify(
  ctx: Context,
  deps: ApiDeps,
  route: Route,
): Promise<{ readonly key: ApiKeyRow; readonly session: Session | null }> {
  const { db, config } = deps;
  const bearer = bearerToken(ctx);
  const cookie = bearer === null ? sessionToken(ctx, config.publicUrl) : null;
  if (cookie === null) {
    const refusal =
      bearer === null
        ? 'This request needs an API key: Authorization: Bearer kw_…'
        : (text: string) => refusalOfKey(db, text);
    const { apiKey, keptApiKey } = deps.reads;
    const find = route.withoutDatabase === true ? keptApiKey : apiKey;
    return { key: await checkCredential(ctx, deps, bearer, find, refusal), session: null };
  }
  const find = (token: string): ReturnType<typeof findSession> => findSession(db, token);
  // The cookie stays: a late refusal would delete the cookie of a new log-in.
  const session = await checkCredential(ctx, deps, cookie, find, 'This session has ended: log in again.');
  if (!['GET', 'HEAD'].includes(ctx.method)) requireOwnOrigin(ctx, config.publicUrl);
  return { key: session.key, session };
}

function isLetIn(principal: Principal, scope: KeyScope, route: Route, ctx: Context): boolean {
  if (hasScope(principal, scope)) return true;
  const plugins = pluginsOf(principal);
  const { id } = ctx['params'] as { readonly id?: string };
  if (route.pluginKeys === 'own') return id !== undefined && plugins.includes(id);
  return route.pluginKeys === 'any' && plugins.length > 0;
}
