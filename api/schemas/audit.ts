import { auditEntry, keyId } from '../examples/key.js';
import {
  objectOf,
  objectOrNull,
  pageParameters,
  text,
  textOrNull,
  timestamp,
  token,
  tokenOrNull,
  uuid,
} from './common.js';
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
  ...objectOf({
    id: text('The id of the entry.', '1'),
    at: { ...timestamp, description: 'When the change began.' },
    key: {
      description:
        'The key that made the change, directly or through a session; null if `kw keys` made it in the database.',
      ...objectOrNull({ id: uuid, name: text('The name of the key at that time.', 'admin') }),
    },
    address: tokenOrNull(100, 'The network address of the client; null for `kw keys`.', '192.0.2.17'),
    action: text('The operation, by its `operationId` in this document.', 'replacePipeline'),
    object: {
      description: 'What was changed.',
      ...objectOf({
        type: text(
          '`resource`, `pipeline`, `plugin`, `key`, `session`; more are added over time.',
          'pipeline',
        ),
        id: textOrNull('Its id; null for sessions and for changes to many objects at once.'),
      }),
    },
    request_id: textOrNull('The X-Request-Id of the request, as in logs and traces.'),
  }),
  examples: [auditEntry],
} as const;
