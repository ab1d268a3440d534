import { ServiceError } from '../../core/errors.js';
import { findApiKey } from '../../storage/auth/api-keys.js';
import { redeemLoginLink } from '../../storage/auth/login-links.js';
import { createSession, endSession } from '../../storage/auth/sessions.js';
import { checkCredential, countRequest, refusalOfKey } from '../auth/credentials.js';
import { location } from '../reply/location.js';
import { requireOwnOrigin } from '../auth/own-origin.js';
import { hasScope, toPrincipal } from '../auth/principal.js';
import { defineRoute, type Route } from '../route.js';
import { newSessionSchema, sessionSchema } from '../schemas/session.js';
import { sessionCookie, sessionToken } from '../auth/session-cookie.js';
import { viewSession } from '../views/session.js';

const tag = 'Session';
const path = '/session';
const setCookie = {
  'Set-Cookie': 'The cookie of the session: HttpOnly, SameSite=Strict, Secure over https.',
};

const start = defineRoute({
  method: 'POST',
  path,
  operationId: 'createSession',
  summary: 'Log a browser in',
  description:
    'With an API key, or with the token of a log-in link, which works once. The response sets a cookie that replaces the key on every operation that needs one. The session ends after 7 days, after 12 hours without use, on log-out, or with its key. A key with only plugin scopes is refused. If the request has an `Origin`, it must be the service’s own.',
  tag,
  scope: 'open',
  body: newSessionSchema,
  bodyLimit: 4096,
  responses: {
    201: {
      description: 'Logged in.',
      schema: sessionSchema,
      headers: { ...setCookie, Location: 'The URL of the session.' },
    },
  },
  errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
  admit({ koa, deps }) {
    // Other origins must not log a browser in under someone else's key. Programs send no Origin.
    if (koa.get('origin') !== '') requireOwnOrigin(koa, deps.config.publicUrl);
    return Promise.resolve(undefined);
  },
  async handler({ body, koa, deps, change }) {
    const { db, config } = deps;
    const { api_key: text = null, login_token: link = null } = body;
    const given =
      link === null
        ? await checkCredential(
            koa,
            deps,
            text,
            (each) => findApiKey(db, each),
            (each) => refusalOfKey(db, each),
          )
        : null;
    const before = sessionToken(koa, config.publicUrl);
    const { token, session } = await change(
      async (trx) => {
        // In this transaction, so that a log-in that fails does not use the link up.
        const redeem = (each: string): ReturnType<typeof redeemLoginLink> => redeemLoginLink(trx, each);
        const key = given ?? (await checkCredential(koa, deps, link, redeem, usedLink));
        await countRequest(koa, deps, key);
        if (!hasScope(toPrincipal(key, null), 'read')) throw new ServiceError('FORBIDDEN', pluginKey);
        if (before !== null) await endSession(trx, before);
        return await createSession(trx, key);
      },
      ({ session: { key } }) => ({ key }),
    );
    return {
      status: 201,
      headers: { ...location(config, 'session'), 'Set-Cookie': sessionCookie(koa, config.publicUrl, token) },
      body: await viewSession(deps, toPrincipal(session.key, session)),
    };
  },
});

const usedLink =
  'This log-in link was used before or is older than five minutes: create another, or use an API key.';
const pluginKey = 'This API key may not log in: it needs the scope read.';

const show = defineRoute({
  method: 'GET',
  path,
  operationId: 'getSession',
  summary: 'Get the current session',
  description: 'By cookie or bearer token. The response says when the session ends.',
  tag,
  scope: 'read',
  responses: {
    200: {
      description: 'The key, and what the page needs to know about the service.',
      schema: sessionSchema,
    },
  },
  handler: async ({ principal, deps }) => ({ status: 200, body: await viewSession(deps, principal) }),
});

const end = defineRoute({
  method: 'DELETE',
  path,
  operationId: 'deleteSession',
  summary: 'Log the browser out',
  description:
    'Ends the session and deletes the cookie. Without a session, or if it has already ended, the response is the same. With a cookie, `Origin` must be the service’s own.',
  tag,
  scope: 'open',
  responses: { 204: { description: 'The session has ended.', headers: setCookie } },
  errors: ['FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  async handler({ koa, deps, change }) {
    const { publicUrl } = deps.config;
    const token = sessionToken(koa, publicUrl);
    const reply = { status: 204, headers: { 'Set-Cookie': sessionCookie(koa, publicUrl, null) } };
    if (token === null) return { ...reply, unchanged: true };
    requireOwnOrigin(koa, publicUrl);
    await change(
      (trx) => endSession(trx, token),
      (key) => ({ key }),
    );
    return reply;
  },
});

export const sessionRoutes: readonly Route[] = [start, show, end];
