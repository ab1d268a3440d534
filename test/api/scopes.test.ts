import assert from 'node:assert/strict';
import { fullPath } from '../../api/route.js';
import { routes } from '../../api/routes/index.js';
import { uuidv7 } from '../../core/ids.js';
import { createApiKey, listApiKeys, revokeApiKey } from '../../storage/api-keys.js';
import { startApi, type TestApi } from '../support/api.js';

/** The least an operation asks for. `own`: also the key of the plugin `ocr`; `plugin`: also the key of any plugin. */
const expected: Readonly<
  Record<string, 'open' | 'token' | 'read' | 'write' | 'admin' | 'read own' | 'admin own' | 'admin plugin'>
> = {
  listResources: 'read',
  registerResource: 'write',
  getResource: 'read',
  editResource: 'write',
  toggleResource: 'write',
  deleteResource: 'write',
  reprocessResource: 'write',
  reprocessResources: 'write',
  cancelResource: 'write',
  listRuns: 'read',
  getArtifact: 'read',
  listPipelines: 'read',
  createPipeline: 'admin',
  getPipeline: 'read',
  replacePipeline: 'admin',
  deletePipeline: 'admin',
  listPlugins: 'read',
  getPlugin: 'read own',
  togglePlugin: 'admin',
  replacePluginConfig: 'admin',
  renewSigningSecret: 'admin',
  deletePlugin: 'admin',
  createPlugin: 'admin',
  registerPlugin: 'admin own',
  claimAttempt: 'admin plugin',
  reportStep: 'token',
  uploadContent: 'token',
  readPluginConfig: 'admin own',
  readSource: 'token',
  readInput: 'token',
  isLive: 'open',
  isReady: 'open',
  readMetrics: 'read',
  getOpenApiDocument: 'open',
  showStartPage: 'open',
  showDocs: 'open',
};

const holders: Readonly<Record<string, readonly string[]>> = {
  open: ['nobody', 'none', 'read', 'write', 'admin', 'plugin:ocr', 'plugin:other'],
  token: [],
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
  'read own': ['read', 'write', 'admin', 'plugin:ocr'],
  'admin own': ['admin', 'plugin:ocr'],
  'admin plugin': ['admin', 'plugin:ocr', 'plugin:other'],
};

describe('API keys', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('open every operation to those it is for, and to nobody else', async () => {
    assert.deepEqual(Object.keys(expected).sort(), routes.map((route) => route.operationId).sort());
    const keys: Record<string, string | null> = { nobody: null, none: await api.key() };
    for (const scope of ['read', 'write', 'admin', 'plugin:ocr', 'plugin:other'])
      keys[scope] = await api.key(scope);
    for (const route of routes) {
      const id = /^(\/internal)?\/plugins/.test(route.path) ? 'ocr' : uuidv7();
      const path = fullPath(route).replace(':id', id).replace(':artifactId', uuidv7());
      for (const [holder, bearer] of Object.entries(keys)) {
        const { status, headers } = await api.call(route.method, `/${path}`, undefined, { bearer });
        const isIn = holders[expected[route.operationId] ?? '']?.includes(holder) ?? false;
        const outside = holder === 'nobody' || expected[route.operationId] === 'token' ? 401 : 403;
        assert.equal(
          status === 401 || status === 403 ? status : 'in',
          isIn ? 'in' : outside,
          `${route.operationId} by ${holder}`,
        );
        if (status === 401) assert.equal(headers.get('www-authenticate'), 'Bearer');
      }
    }
  });

  it('are refused when they are wrong, revoked or expired', async () => {
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
