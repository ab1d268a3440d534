import { waitingKinds } from '../../core/states.js';
import { system } from '../examples/system.js';
import { count, flag, objectOf, objectOrNull, text, textOrNull, timeOrNull, timestamp } from './common.js';
import { healthChecksSchema } from './health.js';

const versions = {
  title: 'SystemVersions',
  description: 'The versions of the process that answered and of the servers that it uses.',
  ...objectOf({
    service: text('The version of the Knowledge Warehouse.'),
    node: text('The version of Node.js.'),
    postgresql: text('The version of PostgreSQL.'),
    temporal: textOrNull('The version of the Temporal server; null while it does not answer.'),
  }),
} as const;

const addresses = {
  title: 'SystemAddresses',
  description:
    'The addresses of the components, without credentials. Null unless the key has the scope `admin`.',
  ...objectOrNull({
    public_url: text('The address of this API: KW_PUBLIC_URL.'),
    database: text('Host, port and name of the PostgreSQL database.'),
    temporal: text('The address of the Temporal server.'),
    temporal_namespace: text('The Temporal namespace.'),
    temporal_ui: textOrNull('The address of the Temporal Web UI; null if none is set.'),
    object_store: text('The folder, or the S3 endpoint and bucket.'),
    search_index: text('KW_SEARCH_URI.'),
    data_dir: text('KW_DATA_DIR of the process that answered.'),
  }),
} as const;

const queues = {
  type: 'array',
  description: 'The task queues of the service and of activity plugins.',
  items: {
    title: 'TaskQueue',
    ...objectOf({
      task_queue: text('The name of the queue.'),
      built_in: flag("Whether the service's own workers poll it: `kw worker`, and `kw start`."),
      plugins: {
        type: 'array',
        description: 'The plugins that registered it.',
        items: {
          title: 'QueuedPlugin',
          ...objectOf({
            plugin_id: text('The plugin.'),
            is_active: flag('Whether its steps may begin.'),
          }),
        },
      },
      pollers: {
        type: ['integer', 'null'],
        minimum: 0,
        description:
          'The number of workers that polled it in the last 90 s; null while Temporal does not answer. For the queues of the service, it is the number that polled `kw-core`, because a worker does not poll the others while all its slots are taken.',
      },
      last_polled_at: timeOrNull('When a worker last polled it; null if none has in the last few minutes.'),
    }),
  },
} as const;

const waits = {
  type: 'array',
  description: 'Steps that have waited for more than 10 s, by plugin and by what they wait for, most first.',
  items: {
    title: 'LongWaits',
    ...objectOf({
      plugin_id: text('The plugin of the steps.'),
      kind: { type: 'string', enum: waitingKinds, description: 'What they wait for.' },
      count: count('The number of waiting resources.'),
      oldest_since: { ...timestamp, description: 'When the oldest of them began to wait.' },
    }),
  },
} as const;

const cleanUps = {
  type: 'array',
  description: 'What plugins still have to remove elsewhere, oldest first.',
  items: {
    title: 'OpenCleanUps',
    ...objectOf({
      plugin_id: text('The plugin.'),
      count: count('The number of removals.'),
      oldest_at: { ...timestamp, description: 'When the oldest of them began to wait.' },
      last_error: textOrNull(
        'The error of the removal with the most attempts, with a note if no worker polls the task queue; null if there is neither.',
      ),
    }),
  },
} as const;

/** The state of the system: what is running, and what is blocked. */
export const systemSchema = {
  ...objectOf({
    at: { ...timestamp, description: 'When this was measured; it may be a few seconds old.' },
    versions,
    addresses,
    checks: healthChecksSchema,
    queues,
    waits,
    clean_ups: cleanUps,
    database_bytes: count('The disk space that the database takes.'),
    disk: {
      title: 'DiskSpace',
      description:
        'The disk that holds the objects (with S3: KW_DATA_DIR), on the machine that answered. Null if there is no such folder.',
      ...objectOrNull({
        free_bytes: count('The space that the service can still write to.'),
        total_bytes: count('Its size.'),
      }),
    },
  }),
  examples: [system],
} as const;
