import {
  chunkText,
  listedChunkText,
  listedOcr,
  ocr,
  ocrDeliveries,
  registeredOcr,
} from '../examples/plugin.js';
import { timestamp, timestampOrNull } from './common.js';
import { declared, pluginId } from './plugin-requests.js';

const listedProperties = {
  id: pluginId,
  name: { type: 'string', description: 'The display name.', examples: ['Optical character recognition'] },
  description: { type: 'string', description: 'What it does.' },
  version: { type: 'string', description: 'The version of the worker, for people.', examples: ['1.2.0'] },
  kind: declared.kind,
  task_queue: {
    type: ['string', 'null'],
    description: 'The task queue that the workers of an activity plugin poll.',
  },
  activity_type: { type: ['string', 'null'], description: 'The activity type of an activity plugin.' },
  endpoint: {
    type: ['string', 'null'],
    description: 'The URL that Core posts the steps of an http plugin to.',
  },
  config_schema: declared.config_schema,
  produces: declared.produces,
  reads: declared.reads,
  heartbeat_seconds: declared.heartbeat_seconds,
  cleanup_activity_type: {
    type: ['string', 'null'],
    description: 'The activity type that removes what an activity plugin stores elsewhere.',
  },
  is_active: {
    type: 'boolean',
    description: 'Steps that begin while it is false fail with PLUGIN_INACTIVE.',
  },
  built_in: {
    type: 'boolean',
    description: 'Whether it comes with the service and registers itself at startup.',
  },
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: {
    ...timestampOrNull,
    description: 'When one of its workers last registered, claimed a step or answered a delivery.',
  },
} as const;

const listedFields = [
  'id',
  'name',
  'description',
  'version',
  'kind',
  'task_queue',
  'activity_type',
  'endpoint',
  'config_schema',
  'produces',
  'reads',
  'heartbeat_seconds',
  'cleanup_activity_type',
  'is_active',
  'built_in',
  'created_at',
  'updated_at',
  'last_seen_at',
] as const;

const deliveries = {
  type: ['object', 'null'],
  required: ['succeeded', 'failed', 'success_rate', 'last_success_at', 'last_failure'],
  additionalProperties: false,
  description:
    'How the attempts that were delivered to an http plugin ended. Attempts of deleted resources do not count. Null for activity plugins.',
  properties: {
    succeeded: {
      type: 'integer',
      minimum: 0,
      description: 'Attempts that succeeded within the last hour; at most the newest 1,000 count.',
    },
    failed: {
      type: 'integer',
      minimum: 0,
      description:
        'The same for failed attempts: the worker did not answer, violated the protocol, timed out, or reported a failure.',
    },
    success_rate: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 1,
      description: 'The share of attempts that succeeded; null if there were none within the hour.',
    },
    last_success_at: { ...timestampOrNull, description: 'When an attempt last succeeded; null: never.' },
    last_failure: {
      type: ['object', 'null'],
      required: ['at', 'code', 'message'],
      additionalProperties: false,
      description: 'The attempt that failed last; null if none has.',
      properties: {
        at: { ...timestamp, description: 'When it failed.' },
        code: {
          type: 'string',
          description: "The worker's own code, or one of Core's.",
          examples: ['DELIVERY_FAILED'],
        },
        message: { type: 'string', description: 'A message for people.' },
      },
    },
  },
  examples: [ocrDeliveries],
} as const;

/** A plugin in a list: all fields except its config. */
export const listedPluginSchema = {
  type: 'object',
  required: [...listedFields, 'deliveries'],
  additionalProperties: false,
  properties: { ...listedProperties, deliveries },
  examples: [listedOcr, listedChunkText],
} as const;

const withConfig = {
  ...listedProperties,
  config: { ...declared.config, description: 'The config that the plugin reads.' },
} as const;

const warnings = {
  type: 'array',
  description: 'Where the config does not match the config_schema. The config applies anyway.',
  items: {
    title: 'ConfigWarning',
    type: 'object',
    required: ['path', 'message'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'A JSON Pointer into the config.' },
      message: { type: 'string', description: 'What is wrong there.' },
    },
  },
} as const;

export const pluginSchema = {
  type: 'object',
  required: [...listedFields, 'config'],
  additionalProperties: false,
  properties: withConfig,
  examples: [ocr],
} as const;

export const pluginWithPollersSchema = {
  type: 'object',
  required: [...listedFields, 'config', 'deliveries', 'pollers', 'last_polled_at', 'pending_clean_ups'],
  additionalProperties: false,
  properties: {
    ...withConfig,
    deliveries,
    pollers: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'The number of workers that polled its task queue within 90 s; null for http plugins and while Temporal does not answer.',
    },
    last_polled_at: {
      ...timestampOrNull,
      description:
        'When a worker last polled its task queue. Running workers poll at least once a minute. Null as for `pollers`, and if none has polled within minutes.',
    },
    pending_clean_ups: {
      title: 'PendingCleanUps',
      type: 'object',
      description: 'What it still has to remove elsewhere, for deleted resources and removed artifacts.',
      additionalProperties: false,
      required: ['count', 'oldest_at', 'last_error'],
      properties: {
        count: { type: 'integer', minimum: 0, description: 'The number of removals.' },
        oldest_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When the oldest of them began to wait.',
        },
        last_error: {
          type: ['string', 'null'],
          description:
            'The error of the removal with the most attempts, and whether no worker polls the task queue.',
        },
      },
    },
  },
  examples: [
    {
      ...chunkText,
      deliveries: null,
      pollers: 2,
      last_polled_at: '2025-11-20T09:44:38.120Z',
      pending_clean_ups: { count: 0, oldest_at: null, last_error: null },
    },
  ],
} as const;

/** A plugin after its config changed. */
export const pluginWithWarningsSchema = {
  type: 'object',
  required: [...listedFields, 'config', 'config_warnings'],
  additionalProperties: false,
  properties: { ...withConfig, config_warnings: warnings },
  examples: [{ ...chunkText, config: { size: 256, overlap: 32 }, config_warnings: [] }],
} as const;

export const registeredPluginSchema = {
  type: 'object',
  required: [...listedFields, 'config', 'config_warnings'],
  additionalProperties: false,
  properties: {
    ...withConfig,
    config_warnings: warnings,
    signing_secret: {
      type: 'string',
      description:
        'The secret that signs the messages to an http plugin (Standard Webhooks). Shown only once, when the plugin is created or becomes an http plugin.',
    },
  },
  examples: [registeredOcr],
} as const;

export const signingSecretSchema = {
  title: 'SigningSecret',
  type: 'object',
  required: ['signing_secret'],
  additionalProperties: false,
  properties: {
    signing_secret: {
      type: 'string',
      description:
        'Shown only here. For 24 hours, messages also carry the signatures of the previous secrets.',
    },
  },
  examples: [{ signing_secret: registeredOcr.signing_secret }],
} as const;
