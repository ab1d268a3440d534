import { createdKey, importerKey, newKey } from '../examples/key.js';
import { label, objectOf, text, timeOrNull, timestamp, timestampOrNull, uuid } from './common.js';
import { pluginIdPattern } from './plugin-requests.js';
import { typed } from './typed.js';

const scopes = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  items: {
    type: 'string',
    maxLength: 200,
    pattern: `^(read|write|admin|plugin:${pluginIdPattern.slice(1, -1)})$`,
  },
  description:
    '`read`: search, and every GET except those of keys, the audit log and workers; `write`: also changes to resources; `admin`: everything; `plugin:{id}`: what the worker of that plugin calls.',
  examples: [['write']],
} as const;

const rateLimit = {
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'Requests per minute; 0: no limit; null: the limit of the service.',
} as const;

export const newKeySchema = typed({
  type: 'object',
  required: ['name', 'scopes'],
  additionalProperties: false,
  properties: {
    name: label(200, 'What the key is for.', 'Importer'),
    scopes,
    expires_at: {
      ...timestampOrNull,
      default: null,
      description: 'When the key expires, in the future; null: it works until it is deleted.',
      examples: [newKey.expires_at],
    },
    rate_limit: { ...rateLimit, default: null },
  },
  examples: [newKey],
});

const keyProperties = {
  id: uuid,
  name: text('What the key is for.'),
  prefix: text('The beginning of the key, to tell keys apart.'),
  scopes: { type: 'array', items: { type: 'string' }, description: scopes.description },
  rate_limit: rateLimit,
  created_at: timestamp,
  expires_at: timeOrNull('When the key expires; null: never.'),
  revoked_at: timeOrNull('When the key was deleted; null if it was not.'),
  last_used_at: timeOrNull('When the key or one of its sessions was last used, to the minute; null: never.'),
} as const;

/** A key without its secret. */
export const keySchema = { ...objectOf(keyProperties), examples: [importerKey] } as const;

export const createdKeySchema = {
  ...objectOf({
    ...keyProperties,
    secret: text('The key itself, for `Authorization: Bearer`. It is never shown again.'),
  }),
  examples: [createdKey],
} as const;
