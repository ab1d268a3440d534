import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { fullPath, type Route } from '../../api/route.js';
import { routes } from '../../api/routes/index.js';
import { uuidv7 } from '../../core/ids.js';
import { makeToken } from '../../core/secrets/token.js';
import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../storage/auth/api-keys.js';
import { createSession, endSession } from '../../storage/auth/sessions.js';
import { startApi, type TestApi } from '../support/service/api.js';

/** The least an operation asks for. `own`: also the key of the plugin `ocr`; `plugin`: also the key of any plugin. */
const expected: Readonly<
  Record<string, 'open' | 'token' | 'read' | 'write' | 'admin' | 'read own' | 'admin own' | 'admin plugin'>
> = {
  listResources: 'read',
  registerResource: 'write',
  getResource: 'read',
  updateResource: 'write',
  toggleResource: 'write',
  deleteResource: 'write',
  reprocessResource: 'write',
  reprocessResources: 'write',
  cancelResource: 'write',
  listAttempts: 'read',
  listRuns: 'read',
  createOperation: 'write',
  listOperations: 'read',
  getOperation: 'read',
  cancelOperation: 'write',
  listFailures: 'read',
  getResourceSource: 'read',
  getArtifact: 'read',
  search: 'read',
  searchByBody: 'read',
  getSearchStatus: 'read',
  rebuildSearchIndex: 'admin',
  listPipelines: 'read',
  createPipeline: 'admin',
  getPipeline: 'read',
  replacePipeline: 'admin',
  deletePipeline: 'admin',
  listPlugins: 'read',
  getPlugin: 'read own',
  togglePlugin: 'admin',
  replacePluginConfig: 'admin',
  followEvents: 'read',
  followResourceEvents: 'read',
  rotateSigningSecret: 'admin',
  deletePlugin: 'admin',
  createPlugin: 'admin',
  registerPlugin: 'admin own',
  claimAttempt: 'admin plugin',
  createSession: 'open',
  getSession: 'read',
  deleteSession: 'open',
  listKeys: 'admin',
  createKey: 'admin',
  getKey: 'admin',
  deleteKey: 'admin',
  listAudit: 'admin',
  reportStep: 'token',
  uploadContent: 'token',
  getPluginConfig: 'admin own',
  getSource: 'token',
  getInput: 'token',
  checkLiveness: 'open',
  checkReadiness: 'open',
  getMetrics: 'read',
  getStatistics: 'read',
  getSystem: 'read',
  getOpenApiDocument: 'open',
  getDocsPage: 'open',
  getDocsAsset: 'open',
};

/** Whose keys are let in by a rule that asks for one. */
const holders: Readonly<Record<string, readonly string[]>> = {
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
  'read own': ['read', 'write', 'admin', 'plugin:ocr'],
  'admin own': ['admin', 'plugin:ocr'],
  'admin plugin': ['admin', 'plugin:ocr', 'plugin:other'],
};

/** Holders of a key that is good for something, or of one that is good for nothing. */
const keyHolders = ['none', 'read', 'write', 'admin', 'plugin:ocr', 'plugin:other'];

/** Whose cookie it is, by what stands in Origin: our own, nothing, or a page elsewhere. */
const cookieHolders: Readonly<Record<string, readonly [scope: string, origin: string]>> = {
  'cookie of read': ['read', 'own'],
  'cookie of write': ['write', 'own'],
  'cookie of admin': ['admin', 'own'],
  'cookie of admin, no Origin': ['admin', 'none'],
  "cookie of admin, another's Origin": ['admin', 'other'],
};

/** Operations that ask for no key, and still not for a cookie from elsewhere. */
const guarded: Readonly<Record<string, readonly string[]>> = {
  createSession: ['other'],
  deleteSession: ['other', 'none'],
};

/** What an operation with this rule is to answer who brings a cookie. */
function answerToCookie(rule: string, { method, operationId }: Route, holder: string): 'in' | 401 | 403 {
  const [scope, origin] = cookieHolders[holder] ?? ['', ''];
  if (rule === 'open') return guarded[operationId]?.includes(origin) === true ? 403 : 'in';
  if (rule === 'token') return 401;
  if (method !== 'GET' && origin !== 'own') return 403;
  return answerTo(rule, scope);
}

/** What an operation with this rule is to answer somebody. */
function answerTo(rule: string, holder: string): 'in' | 401 | 403 {
  if (rule === 'open') return 'in';
  if (rule === 'token') return holder === 'token' ? 'in' : holder === 'token of another' ? 403 : 401;
  if (holders[rule]?.includes(holder) === true) return 'in';
  return keyHolders.includes(holder) ? 403 : 401;
}

const bearing = (bearer: string): Record<string, string> => ({ authorization: `Bearer ${bearer}` });

describe('API keys', () => {
  let api: TestApi;

  /** How a request without a body is answered; a stream of events is not listened to. */
  async function ask(route: Route, path: string, headers: Record<string, string>): Promise<Response> {
    const response = await fetch(`${api.base}${path}`, { method: route.method, headers });
    await response.body?.cancel();
    return response;
  }

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('and callback tokens allow each operation only to the intended callers', async () => {
    assert.deepEqual(Object.keys(expected).sort(), routes.map((route) => route.operationId).sort());
    const keys = await makeKeys();
    for (const route of routes) {
      const id = /^(\/internal)?\/plugins/.test(route.path) ? 'ocr' : uuidv7();
      const path = fullPath(route)
        .replace(/:(resource_)?id\b/, id)
        .replace(':artifactId', uuidv7());
      const bearers = { ...keys, ...makeTokens(id) };
      for (const [holder, bearer] of Object.entries(bearers)) {
        const { status, headers } = await ask(route, path, bearer === null ? {} : bearing(bearer));
        assert.equal(
          status === 401 || status === 403 ? status : 'in',
          answerTo(expected[route.operationId] ?? '', holder),
          `${route.operationId} by ${holder}`,
        );
        if (status === 401) assert.equal(headers.get('www-authenticate'), 'Bearer');
      }
    }
  });

  it('behind a session allow what the key allows, and changes only from our own pages', async () => {
    const { db } = api.deps;
    const bearers = await makeKeys();
    const login = async (scope: string): Promise<string> => {
      const key = await findApiKey(db, bearers[scope] ?? '');
      assert.ok(key);
      return (await createSession(db, key)).token;
    };
    const ended = await login('admin');
    await endSession(db, ended);
    const sessions: Record<string, string> = {};
    for (const scope of ['read', 'write', 'admin']) sessions[scope] = await login(scope);
    const origins: Record<string, string> = { own: api.base, other: 'http://elsewhere.example' };
    for (const route of routes) {
      const id = /^(\/internal)?\/plugins/.test(route.path) ? 'ocr' : uuidv7();
      const path = fullPath(route)
        .replace(/:(resource_)?id\b/, id)
        .replace(':artifactId', uuidv7());
      const call = async (token: string, origin: string): Promise<[number | 'in', string | null]> => {
        const headers = {
          cookie: `a=b; kw_session=${token}`,
          ...(origin !== 'none' && { origin: origins[origin] ?? '' }),
        };
        const answer = await ask(route, path, headers);
        const isIn = answer.status !== 401 && answer.status !== 403;
        return [isIn ? 'in' : answer.status, answer.headers.get('set-cookie')];
      };
      const rule = expected[route.operationId] ?? '';
      for (const [holder, [scope, origin]] of Object.entries(cookieHolders)) {
        const token = route.operationId === 'deleteSession' ? await login(scope) : sessions[scope];
        const [answer, cookie] = await call(token ?? '', origin);
        const what = `${route.operationId} by ${holder}`;
        assert.equal(answer, answerToCookie(rule, route, holder), what);
        if (route.operationId !== 'deleteSession') assert.equal(cookie, null, what);
      }
      const [answer, cookie] = await call(ended, 'own');
      const what = `${route.operationId} by an ended session`;
      assert.equal(answer, rule === 'open' ? 'in' : 401, what);
      // The browser may have logged in again before this answer arrives.
      if (route.operationId !== 'deleteSession') assert.equal(cookie, null, what);
    }
  });

  it('are rejected after they are revoked, even if many requests arrive at once', async () => {
    const { db } = api.deps;
    const { id, key } = await createApiKey(db, { name: 'short-lived', scopes: ['read'] });
    let isRevoked = false;
    const seen = { before: new Set<number>(), after: new Set<number>() };
    const lane = async (): Promise<void> => {
      for (let isOver = false; !isOver;) {
        isOver = isRevoked;
        const { status, body } = await fetch(`${api.base}/api/v1/resources/${uuidv7()}`, {
          headers: bearing(key),
        });
        await body?.cancel();
        seen[isOver ? 'after' : 'before'].add(status);
      }
    };
    const lanes = Array.from({ length: 16 }, lane);
    await pause(200);
    await revokeApiKey(db, id);
    isRevoked = true;
    await Promise.all(lanes);
    assert.ok(seen.before.has(404));
    assert.deepEqual([...seen.after], [401]);
  });

  async function makeKeys(): Promise<Record<string, string | null>> {
    const keys: Record<string, string | null> = { nobody: null, none: await api.key() };
    for (const scope of ['read', 'write', 'admin', 'plugin:ocr', 'plugin:other'])
      keys[scope] = await api.key(scope);
    const { db } = api.deps;
    const revoked = await createApiKey(db, { name: 'revoked', scopes: ['admin'] });
    await revokeApiKey(db, revoked.id);
    const past = new Date(Date.now() - 1000);
    const expired = await createApiKey(db, { name: 'expired', scopes: ['admin'], expires_at: past });
    return { ...keys, revoked: revoked.key, expired: expired.key };
  }

  function makeTokens(resourceId: string): Record<string, string> {
    const { secrets } = api.deps.config;
    const ref = { resourceId, run: 1, stepIndex: 0, attempt: 1 };
    const later = Date.now() + 60_000;
    const token = makeToken(secrets, ref, later);
    const other = makeToken(secrets, { ...ref, resourceId: uuidv7() }, later);
    return {
      token,
      'token of another': other,
      'expired token': makeToken(secrets, ref, Date.now() - 1),
      'forged token': makeToken(['another secret of some length'], ref, later),
      'patched token': `${token.split('.')[0] ?? ''}.${other.split('.')[1] ?? ''}`,
    };
  }

  it('are rejected if they are wrong, revoked or expired', async () => {
    const { id, key } = await createApiKey(api.deps.db, { name: 'short-lived', scopes: ['read'] });
    assert.equal((await api.call('GET', '/plugins', undefined, { bearer: key })).status, 200);
    assert.ok((await listApiKeys(api.deps.db)).find((row) => row.id === id)?.last_used_at);
    await revokeApiKey(api.deps.db, id);
    const expired = await createApiKey(api.deps.db, {
      name: 'old',
      scopes: ['read'],
      expires_at: new Date(Date.now() - 1000),
    });
    for (const authorization of [
      `Bearer ${key}`,
      `Bearer ${expired.key}`,
      'Bearer kw_wrong',
      'Bearer',
      'Basic YTpi',
      'kw_',
      '',
    ]) {
      const { status, body } = await api.call('GET', '/plugins', undefined, {
        bearer: null,
        headers: { authorization },
      });
      assert.deepEqual([status, body.error.code], [401, 'UNAUTHENTICATED'], authorization);
    }
    const lower = { authorization: `bearer ${await api.key('read')}` };
    assert.equal(
      (await api.call('GET', '/plugins', undefined, { bearer: null, headers: lower })).status,
      200,
    );
  });
});
