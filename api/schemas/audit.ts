import { auditEntry, keyId } from '../examples/key.js';
import { pageParameters, timestamp, token, tokenOrNull, uuid } from './common.js';
import { typed } from './typed.js';

export const auditQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    key: { ...uuid, description: 'Changes made with the key of this id.', examples: [keyId] },
    action: token(100, 'Changes by this operation.', 'deleteResource'),
    object: token(200, 'Changes of what has this id.', 'ocr'),
    since: { ...timestamp, description: 'Changes at this time or later.' },
    ...pageParameters,
  },
});

/** One change. */
export const auditEntrySchema = {
  type: 'object',
  required: ['id', 'at', 'key', 'address', 'action', 'object', 'request_id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', description: 'Of the entry.', examples: ['1'] },
    at: { ...timestamp, description: 'When the change was begun.' },
    key: {
      type: ['object', 'null'],
      required: ['id', 'name'],
      additionalProperties: false,
      description: 'Whose key, or session, made the change; null: `kw keys` did, on the database itself.',
      properties: {
        id: uuid,
        name: { type: 'string', description: 'What the key was called.', examples: ['admin'] },
      },
    },
    address: tokenOrNull(100, 'The network address of the client; null for `kw keys`.', '192.0.2.17'),
    action: {
      type: 'string',
      description: 'The operation, by its `operationId` in this document.',
      examples: ['replacePipeline'],
    },
    object: {
      type: 'object',
      required: ['type', 'id'],
      additionalProperties: false,
      description: 'What was changed.',
      properties: {
        type: {
          type: 'string',
          description: '`resource`, `pipeline`, `plugin`, `key`, `session`; more are added over time.',
          examples: ['pipeline'],
        },
        id: {
          type: ['string', 'null'],
          description: 'Its id; null for sessions, and for a change of many at once.',
        },
      },
    },
    request_id: {
      type: ['string', 'null'],
      description: 'The X-Request-Id of the request, which the logs and the traces have too.',
    },
  },
  examples: [auditEntry],
} as const;
