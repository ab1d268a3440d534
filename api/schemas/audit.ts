import { auditEntry, keyId } from '../examples/key.js';
import { pageParameters, timestamp, token, tokenOrNull, uuid } from './common.js';
import { typed } from './typed.js';

export const auditQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    key: { ...uuid, description: 'Only changes made with the key that has this id.', examples: [keyId] },
    action: token(100, 'Only changes by this operation.', 'deleteResource'),
    object: token(200, 'Only changes to the object with this id.', 'ocr'),
    since: { ...timestamp, description: 'Only changes at this time or later.' },
    ...pageParameters,
  },
});

export const auditEntrySchema = {
  type: 'object',
  required: ['id', 'at', 'key', 'address', 'action', 'object', 'request_id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', description: 'The id of the entry.', examples: ['1'] },
    at: { ...timestamp, description: 'When the change began.' },
    key: {
      type: ['object', 'null'],
      required: ['id', 'name'],
      additionalProperties: false,
      description:
        'The key that made the change, directly or through a session; null if `kw keys` made it in the database.',
      properties: {
        id: uuid,
        name: { type: 'string', description: 'The name of the key at that time.', examples: ['admin'] },
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
          description: 'Its id; null for sessions and for changes to many objects at once.',
        },
      },
    },
    request_id: {
      type: ['string', 'null'],
      description: 'The X-Request-Id of the request, as in logs and traces.',
    },
  },
  examples: [auditEntry],
} as const;
