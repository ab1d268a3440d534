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
  description: 'The versions of the process that answered and of the servers that it uses.',
  properties: {
    service: text('The version of the Knowledge Warehouse.'),
    node: text('The version of Node.js.'),
    postgresql: text('The version of PostgreSQL.'),
    temporal: textOrNull('The version of the Temporal server; null while it does not answer.'),
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
  description: 'The addresses of the parts, without credentials. Null unless the key has the scope `admin`.',
  properties: {
    public_url: text('The address of this API: KW_PUBLIC_URL.'),
    database: text('Host, port and name of the PostgreSQL database.'),
    temporal: text('The address of the Temporal server.'),
    temporal_namespace: text('The Temporal namespace.'),
    temporal_ui: textOrNull('The address of the Temporal Web UI; null if none is set.'),
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
            is_active: { type: 'boolean', description: 'Whether its steps may begin.' },
          },
        },
      },
      pollers: {
        type: ['integer', 'null'],
        minimum: 0,
        description:
          'The number of workers that polled it within 90 s; null while Temporal does not answer. For the queues of the service: that polled `kw-core`, because a worker does not poll the others while all its slots are taken.',
      },
      last_polled_at: {
        ...timestampOrNull,
        description: 'When a worker last polled it; null if none has within minutes.',
      },
    },
  },
} as const;

const waits = {
  type: 'array',
  description: 'Steps that have waited for more than 10 s, by plugin and by what they wait for, most first.',
  items: {
    title: 'LongWaits',
    type: 'object',
    required: ['plugin_id', 'kind', 'count', 'oldest_since'],
    additionalProperties: false,
    properties: {
      plugin_id: text('The plugin of the steps.'),
      kind: { type: 'string', enum: waitingKinds, description: 'What they wait for.' },
      count: count('The number of waiting resources.'),
      oldest_since: { ...timestamp, description: 'When the oldest of them began to wait.' },
    },
  },
} as const;

const cleanUps = {
  type: 'array',
  description: 'What plugins still have to remove elsewhere, oldest first.',
  items: {
    title: 'OpenCleanUps',
    type: 'object',
    required: ['plugin_id', 'count', 'oldest_at', 'last_error'],
    additionalProperties: false,
    properties: {
      plugin_id: text('The plugin.'),
      count: count('The number of removals.'),
      oldest_at: { ...timestamp, description: 'When the oldest of them began to wait.' },
      last_error: textOrNull(
        'The error of the removal with the most attempts, and whether no worker polls the task queue; null if neither.',
      ),
    },
  },
} as const;

/** The state of the system: what is running, and what is blocked. */
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
    at: { ...timestamp, description: 'When this was measured; it may be a few seconds old.' },
    versions,
    addresses,
    checks: healthChecksSchema,
    queues,
    waits,
    clean_ups: cleanUps,
    database_bytes: bytes('The disk space that the database takes.'),
    disk: {
      title: 'DiskSpace',
      type: ['object', 'null'],
      required: ['free_bytes', 'total_bytes'],
      additionalProperties: false,
      description:
        'The disk that holds the objects (with S3: KW_DATA_DIR), on the machine that answered. Null if there is no such folder.',
      properties: {
        free_bytes: bytes('The space that the service can still write to.'),
        total_bytes: bytes('Its size.'),
      },
    },
  },
  examples: [system],
} as const;
