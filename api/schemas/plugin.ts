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
  name: { type: 'string', description: 'What people call it.', examples: ['Optical character recognition'] },
  description: { type: 'string', description: 'What it does.' },
  version: { type: 'string', description: 'Of the worker, for people.', examples: ['1.2.0'] },
  kind: declared.kind,
  task_queue: {
    type: ['string', 'null'],
    description: 'Where the workers of an activity plugin look for work.',
  },
  activity_type: { type: ['string', 'null'], description: 'The activity that an activity plugin runs.' },
  endpoint: { type: ['string', 'null'], description: 'Where the steps of an http plugin are posted to.' },
  config_schema: declared.config_schema,
  produces: declared.produces,
  reads: declared.reads,
  heartbeat_seconds: declared.heartbeat_seconds,
  cleanup_activity_type: {
    type: ['string', 'null'],
    description: 'The activity that removes what an activity plugin keeps elsewhere.',
  },
  is_active: {
    type: 'boolean',
    description: 'Steps that begin while it is false fail with PLUGIN_INACTIVE.',
  },
  built_in: { type: 'boolean', description: 'Comes with the service and registers itself when it starts.' },
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: {
    ...timestampOrNull,
    description: 'When a worker of it last registered, claimed a step or answered the delivery of one.',
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

/** How deliveries to an HTTP plugin went lately. */
const deliveries = {
  type: ['object', 'null'],
  required: ['succeeded', 'failed', 'success_rate', 'last_success_at', 'last_failure'],
  additionalProperties: false,
  description:
    'How the attempts ended that were delivered to an http plugin: whether its worker answers and does its work. Attempts of resources deleted since are missing. Null for activity plugins.',
  properties: {
    succeeded: {
      type: 'integer',
      minimum: 0,
      description:
        'Attempts that succeeded within the last hour. Of more than 1,000, the newest 1,000 count.',
    },
    failed: {
      type: 'integer',
      minimum: 0,
      description:
        'The same of attempts that failed: the worker did not answer, answered otherwise than the protocol says, ran out of time, or reported a failure.',
    },
    success_rate: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 1,
      description: 'The share of those that succeeded; null: there were none within the hour.',
    },
    last_success_at: { ...timestampOrNull, description: 'When an attempt last succeeded; null: none has.' },
    last_failure: {
      type: ['object', 'null'],
      required: ['at', 'code', 'message'],
      additionalProperties: false,
      description: 'The attempt that failed last; null: none has.',
      properties: {
        at: { ...timestamp, description: 'When it failed.' },
        code: {
          type: 'string',
          description: "The worker's own code, or one of Core's.",
          examples: ['DELIVERY_FAILED'],
        },
        message: { type: 'string', description: 'For people.' },
      },
    },
  },
  examples: [ocrDeliveries],
} as const;

/** A plugin in a list: everything but its config. */
export const listedPluginSchema = {
  type: 'object',
  required: [...listedFields, 'deliveries'],
  additionalProperties: false,
  properties: { ...listedProperties, deliveries },
  examples: [listedOcr, listedChunkText],
} as const;

const withConfig = {
  ...listedProperties,
  config: { ...declared.config, description: 'As the plugin reads it.' },
} as const;

const warnings = {
  type: 'array',
  description: 'Where the config does not match the config_schema. The config counts nevertheless.',
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

/** One plugin. */
export const pluginSchema = {
  type: 'object',
  required: [...listedFields, 'config'],
  additionalProperties: false,
  properties: withConfig,
  examples: [ocr],
} as const;

/** One plugin, with who listens. */
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
        'How many workers asked its task queue for work within 90 s; null for http plugins and while Temporal does not answer.',
    },
    last_polled_at: {
      ...timestampOrNull,
      description:
        'When a worker last asked its task queue for work. Workers that live ask at least once a minute. Null as for `pollers`, and when none asked within minutes.',
    },
    pending_clean_ups: {
      title: 'PendingCleanUps',
      type: 'object',
      description: 'What it has left to remove elsewhere of deleted resources and artifacts that went away.',
      additionalProperties: false,
      required: ['count', 'oldest_at', 'last_error'],
      properties: {
        count: { type: 'integer', minimum: 0, description: 'How many removals.' },
        oldest_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Since when the oldest waits.',
        },
        last_error: { type: ['string', 'null'], description: 'Why the one that was tried most failed.' },
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

/** A plugin that was just registered. */
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
        'Of http plugins: what their messages are signed with (Standard Webhooks). Shown here alone.',
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
      description: 'Shown here alone. For 24 hours messages carry the signature of the secret before it too.',
    },
  },
  examples: [{ signing_secret: registeredOcr.signing_secret }],
} as const;
