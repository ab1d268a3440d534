import type { FromSchema } from 'json-schema-to-ts';
import { validationFailed } from '../../core/errors.js';
import {
  createApiKey,
  deleteApiKey,
  listApiKeyPage,
  readApiKey,
  type ApiKeyRow,
} from '../../storage/auth/api-keys.js';
import { keyId } from '../examples/key.js';
import { found } from '../lookups/found.js';
import { location } from '../reply/location.js';
import { replyWithPage } from '../reply/page.js';
import { readInstant } from '../request/instants.js';
import { defineRoute, type Route } from '../route.js';
import { listOf, pageQuery, uuidParam } from '../schemas/common.js';
import { createdKeySchema, keySchema, newKeySchema } from '../schemas/key.js';

const tag = 'Access';
const params = { id: uuidParam('key', keyId) };

const list = defineRoute({
  method: 'GET',
  path: '/keys',
  operationId: 'listKeys',
  summary: 'List API keys',
  description: 'Newest first. The list includes expired and deleted keys, but never their secrets.',
  tag,
  scope: 'admin',
  query: pageQuery,
  responses: { 200: { description: 'A page of keys.', schema: listOf('KeyList', keySchema) } },
  handler: async ({ deps, query }) =>
    await replyWithPage(query, (page) => listApiKeyPage(deps.db, page), viewKey),
});

const create = defineRoute({
  method: 'POST',
  path: '/keys',
  operationId: 'createKey',
  summary: 'Create an API key',
  description:
    'The response contains the key as `secret`. The service stores only its hash and never shows it again. An Idempotency-Key is not supported, because the stored response would contain the secret.',
  tag,
  scope: 'admin',
  body: newKeySchema,
  responses: {
    201: {
      description: 'The key with its secret.',
      schema: createdKeySchema,
      headers: { Location: 'The URL of the key.' },
    },
  },
  async handler({ deps, body, transact }) {
    const { name, scopes, rate_limit = null } = body;
    const expires_at = body.expires_at == null ? null : new Date(readInstant(body.expires_at, '/expires_at'));
    if (expires_at !== null && expires_at.getTime() <= deps.clock.now())
      throw validationFailed({ path: '/expires_at', message: 'must be in the future' });
    return await transact(async (trx) => {
      const { id, key } = await createApiKey(trx, { name, scopes, rate_limit, expires_at });
      const row = found(await readApiKey(trx, id), 'key', id);
      const where = location(deps.config, 'keys', id);
      return { status: 201, headers: where, body: { ...viewKey(row), secret: key } };
    });
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/keys/:id',
  operationId: 'getKey',
  summary: 'Get an API key',
  description: 'The response does not contain its secret.',
  tag,
  scope: 'admin',
  params,
  responses: { 200: { description: 'The key.', schema: keySchema } },
  handler: async ({ deps, params: { id } }) => ({
    status: 200,
    body: viewKey(found(await readApiKey(deps.db, id), 'key', id)),
  }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/keys/:id',
  operationId: 'deleteKey',
  summary: 'Delete an API key',
  description:
    'From the next request on, the key and its sessions are refused. The key stays in the list, with `revoked_at`. Deleting it again returns the same response. The last valid key with the scope `admin` cannot be deleted: LAST_ADMIN_KEY.',
  tag,
  scope: 'admin',
  params,
  responses: { 204: { description: 'The key no longer works.' } },
  errors: ['LAST_ADMIN_KEY'],
  handler: async ({ params: { id }, transact }) =>
    await transact(async (trx) => ({
      status: 204,
      unchanged: !(await deleteApiKey(trx, id.toLowerCase())),
    })),
});

function viewKey(key: ApiKeyRow): FromSchema<typeof keySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    rate_limit: key.rate_limit,
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
  };
}

export const keyRoutes: readonly Route[] = [list, create, get, remove];
