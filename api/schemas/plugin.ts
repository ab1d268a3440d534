import { chunkText, listedChunkText, ocr, registeredOcr } from '../examples/plugin.js';
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
  'heartbeat_seconds',
  'cleanup_activity_type',
  'is_active',
  'built_in',
  'created_at',
  'updated_at',
  'last_seen_at',
] as const;

/** A plugin in a list: everything but its config. */
export const listedPluginSchema = {
  type: 'object',
  required: listedFields,
  additionalProperties: false,
  properties: listedProperties,
  examples: [listedChunkText],
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
  required: [...listedFields, 'config', 'pollers', 'pending_clean_ups'],
  additionalProperties: false,
  properties: {
    ...withConfig,
    pollers: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'How many workers asked its task queue for work within 90 s; null for http plugins and while Temporal does not answer.',
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
    { ...chunkText, pollers: 2, pending_clean_ups: { count: 0, oldest_at: null, last_error: null } },
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
