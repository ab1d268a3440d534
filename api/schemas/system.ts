import { waitingKinds } from '../../core/states.js';
import { system } from '../examples/system.js';
import { timestamp, timestampOrNull } from './common.js';
import { healthChecksSchema } from './health.js';

const text = (description: string) => ({ type: 'string', description }) as const;
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
const bytes = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;

const versions = {
  title: 'SystemVersions',
  type: 'object',
  required: ['service', 'node', 'postgresql', 'temporal'],
  additionalProperties: false,
  description: 'Of the process that answered, and of the servers it uses.',
  properties: {
    service: text('Of the Knowledge Warehouse.'),
    node: text('Of Node.js.'),
    postgresql: text('Of PostgreSQL.'),
    temporal: textOrNull('Of the Temporal server; null while it does not answer.'),
  },
} as const;

const addresses = {
  title: 'SystemAddresses',
  type: ['object', 'null'],
  required: [
    'public_url',
    'database',
    'temporal',
    'temporal_namespace',
    'temporal_ui',
    'object_store',
    'search_index',
    'data_dir',
  ],
  additionalProperties: false,
  description: 'Where the parts are, without credentials. Null unless the key has the scope `admin`.',
  properties: {
    public_url: text('Of this interface: KW_PUBLIC_URL.'),
    database: text('Host, port and name of the PostgreSQL database.'),
    temporal: text('Of the Temporal server.'),
    temporal_namespace: text('The namespace there.'),
    temporal_ui: textOrNull('Of the Temporal Web UI; null where none is set.'),
    object_store: text('The folder, or the S3 endpoint and bucket.'),
    search_index: text('KW_SEARCH_URI.'),
    data_dir: text('KW_DATA_DIR of the process that answered.'),
  },
} as const;

const queues = {
  type: 'array',
  description: 'The task queues of the service and of activity plugins.',
  items: {
    title: 'TaskQueue',
    type: 'object',
    required: ['task_queue', 'built_in', 'plugins', 'pollers', 'last_polled_at'],
    additionalProperties: false,
    properties: {
      task_queue: text('The name of the queue.'),
      built_in: {
        type: 'boolean',
        description: "Whether the service's own workers poll it: `kw worker`, and `kw start`.",
      },
      plugins: {
        type: 'array',
        description: 'The plugins that registered it.',
        items: {
          title: 'QueuedPlugin',
          type: 'object',
          required: ['plugin_id', 'is_active'],
          additionalProperties: false,
          properties: {
            plugin_id: text('The plugin.'),
            is_active: { type: 'boolean', description: 'Whether steps of it may begin.' },
          },
        },
      },
      pollers: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'How many workers asked it for work within 90 s; null while Temporal does not answer.',
      },
      last_polled_at: {
        ...timestampOrNull,
        description: 'When a worker last asked; null when none did within minutes.',
      },
    },
  },
} as const;

const waits = {
  type: 'array',
  description:
    'Steps that have waited for more than 10 s, by plugin and by what they wait for, the most first.',
  items: {
    title: 'LongWaits',
    type: 'object',
    required: ['plugin_id', 'kind', 'count', 'oldest_since'],
    additionalProperties: false,
    properties: {
      plugin_id: text('The plugin of the steps.'),
      kind: { type: 'string', enum: waitingKinds, description: 'What they wait for.' },
      count: count('How many resources wait.'),
      oldest_since: { ...timestamp, description: 'Since when the oldest waits.' },
    },
  },
} as const;

const cleanUps = {
  type: 'array',
  description: 'What plugins have left to remove elsewhere, the oldest first.',
  items: {
    title: 'OpenCleanUps',
    type: 'object',
    required: ['plugin_id', 'count', 'oldest_at', 'last_error'],
    additionalProperties: false,
    properties: {
      plugin_id: text('The plugin.'),
      count: count('How many removals.'),
      oldest_at: { ...timestamp, description: 'Since when the oldest waits.' },
      last_error: textOrNull('Why the one that was tried most failed; null: none has been tried in vain.'),
    },
  },
} as const;

/** What runs, and what holds it up. */
export const systemSchema = {
  type: 'object',
  required: [
    'at',
    'versions',
    'addresses',
    'checks',
    'queues',
    'waits',
    'clean_ups',
    'database_bytes',
    'disk',
  ],
  additionalProperties: false,
  properties: {
    at: { ...timestamp, description: 'When it was looked at: it may be some seconds old.' },
    versions,
    addresses,
    checks: healthChecksSchema,
    queues,
    waits,
    clean_ups: cleanUps,
    database_bytes: bytes('What the database takes on its disk.'),
    disk: {
      title: 'DiskSpace',
      type: ['object', 'null'],
      required: ['free_bytes', 'total_bytes'],
      additionalProperties: false,
      description:
        'The disk of the objects, or, if they are in S3, of KW_DATA_DIR, on the machine that answered. Null where there is no such folder.',
      properties: {
        free_bytes: bytes('What the service may still write.'),
        total_bytes: bytes('Its size.'),
      },
    },
  },
  examples: [system],
} as const;
