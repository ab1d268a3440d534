import { pluginKinds } from '../../core/states.js';
import { artifactTypePattern } from '../../core/wire/report.js';
import { label, plainText, timestamp, timestampOrNull, tokenOrNull } from './common.js';
import type { ParamSchema } from './param.js';
import { typed, type TypeOf } from './typed.js';

/** What ids of plugins look like. */
export const pluginIdPattern = '^[a-z0-9][a-z0-9-]{0,62}$';

export const pluginIdParam: ParamSchema = {
  type: 'string',
  title: 'plugin',
  description: 'The id of the plugin.',
  pattern: pluginIdPattern,
  examples: ['extract-text'],
};

const id = {
  type: 'string',
  pattern: pluginIdPattern,
  description: 'Lower-case letters, digits and hyphens; 63 characters at most.',
  examples: ['ocr'],
} as const;

const multiline = { pattern: '^[^\\u0000]*$', 'x-well-formed': true } as const;
const config = {
  type: 'object',
  description:
    'Any JSON object: 64 levels and 256 KiB at most. Kept exactly; the plugin alone knows what it means.',
  examples: [{ language: 'en' }],
} as const;
const configSchema = {
  type: ['object', 'boolean', 'null'],
  description:
    'A JSON Schema (draft 2020-12) of the config. What does not match it comes back as `config_warnings`; what it marks `writeOnly` is shown to admin keys alone. References to other documents are refused.',
} as const;
const produces = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', pattern: artifactTypePattern },
  description: 'The types of the artifacts it makes.',
  examples: [['text']],
} as const;
const heartbeatSeconds = {
  type: ['number', 'null'],
  minimum: 1,
  maximum: 3600,
  description: 'An attempt whose worker is silent for longer has failed; null: silence is fine.',
} as const;

const declared = {
  name: label(500, 'What people call it.', 'Optical character recognition'),
  description: { type: 'string', maxLength: 10_000, ...multiline, description: 'What it does.' },
  version: { type: 'string', maxLength: 100, ...plainText, examples: ['1.2.0'] },
  kind: {
    type: 'string',
    enum: pluginKinds,
    description:
      'activity: a Temporal worker of yours runs its steps; http: its steps are posted to an endpoint of yours.',
  },
  task_queue: tokenOrNull(200, 'Where the workers of an activity plugin look for work.', 'ocr'),
  activity_type: tokenOrNull(200, 'The activity that an activity plugin runs.', 'recogniseText'),
  endpoint: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 2000,
    ...plainText,
    description: 'Where the steps of an http plugin are posted to.',
    examples: ['https://ocr.example.com/steps'],
  },
  config,
  config_schema: configSchema,
  produces,
  heartbeat_seconds: heartbeatSeconds,
  cleanup_activity_type: tokenOrNull(
    200,
    'The activity that removes what an activity plugin keeps elsewhere.',
    'forgetVectors',
  ),
} as const;

/** What each kind of plugin needs, and what it cannot have. */
const routingRules = [
  {
    if: { type: 'object', required: ['kind'], properties: { kind: { const: 'http' } } },
    then: {
      type: 'object',
      required: ['endpoint'],
      properties: {
        endpoint: { type: 'string' },
        task_queue: { type: 'null' },
        activity_type: { type: 'null' },
        cleanup_activity_type: { type: 'null' },
      },
    },
  },
  {
    if: { type: 'object', required: ['kind'], properties: { kind: { const: 'activity' } } },
    then: {
      type: 'object',
      required: ['task_queue', 'activity_type'],
      properties: {
        task_queue: { type: 'string' },
        activity_type: { type: 'string' },
        endpoint: { type: 'null' },
      },
    },
  },
] as const;

const httpExample = {
  id: 'ocr',
  name: 'OCR',
  kind: 'http',
  endpoint: 'https://ocr.example.com/steps',
} as const;

/** Registers a plugin. */
export const newPluginSchema = typed({
  type: 'object',
  required: ['id', 'name', 'kind'],
  additionalProperties: false,
  properties: { id, ...declared },
  allOf: routingRules,
  examples: [httpExample],
});

const pluginRegistration = {
  type: 'object',
  required: ['name', 'kind'],
  additionalProperties: false,
  properties: { id: { ...id, description: 'If given, the id in the path.' }, ...declared },
  allOf: routingRules,
  examples: [httpExample],
} as const;

/** Registers the plugin that the path names, or says anew what it is. */
export const pluginRegistrationSchema = typed(pluginRegistration);

/** Replaces a plugin's config. */
export const pluginConfigSchema = typed({
  type: 'object',
  required: ['config'],
  additionalProperties: false,
  properties: { config },
});

const listedProperties = {
  id,
  name: { type: 'string', examples: ['Optical character recognition'] },
  description: { type: 'string' },
  version: { type: 'string', examples: ['1.2.0'] },
  kind: declared.kind,
  task_queue: { type: ['string', 'null'] },
  activity_type: { type: ['string', 'null'] },
  endpoint: { type: ['string', 'null'] },
  config_schema: configSchema,
  produces,
  heartbeat_seconds: heartbeatSeconds,
  cleanup_activity_type: { type: ['string', 'null'] },
  is_active: {
    type: 'boolean',
    description: 'Steps that begin while it is false fail with PLUGIN_INACTIVE.',
  },
  built_in: { type: 'boolean', description: 'Comes with the service and registers itself when it starts.' },
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: { ...timestampOrNull, description: 'When a worker of it last registered or claimed a step.' },
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
} as const;

const withConfig = {
  ...listedProperties,
  config: { ...config, description: 'As the plugin reads it.' },
} as const;

const warnings = {
  type: 'array',
  description: 'Where the config does not match the config_schema. The config counts nevertheless.',
  items: {
    type: 'object',
    required: ['path', 'message'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'A JSON Pointer into the config.' },
      message: { type: 'string' },
    },
  },
} as const;

/** One plugin. */
export const pluginSchema = {
  type: 'object',
  required: [...listedFields, 'config'],
  additionalProperties: false,
  properties: withConfig,
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
      type: 'object',
      description: 'What it has left to remove elsewhere of deleted resources and artifacts that went away.',
      additionalProperties: false,
      required: ['count', 'oldest_at', 'last_error'],
      properties: {
        count: { type: 'integer', minimum: 0 },
        oldest_at: { type: ['string', 'null'], format: 'date-time' },
        last_error: { type: ['string', 'null'], description: 'Why the one that was tried most failed.' },
      },
    },
  },
} as const;

/** A plugin after its config changed. */
export const pluginWithWarningsSchema = {
  type: 'object',
  required: [...listedFields, 'config', 'config_warnings'],
  additionalProperties: false,
  properties: { ...withConfig, config_warnings: warnings },
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
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    },
  },
} as const;

export const signingSecretSchema = {
  type: 'object',
  required: ['signing_secret'],
  additionalProperties: false,
  properties: {
    signing_secret: {
      type: 'string',
      description: 'Shown here alone. For 24 hours messages carry the signature of the secret before it too.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    },
  },
} as const;

/** What both ways to register a plugin have in common. */
export type NewPlugin = Omit<TypeOf<typeof pluginRegistration>, 'id'>;

/** Whether a text may be the id of a plugin. */
export function isPluginId(id: string): boolean {
  return new RegExp(pluginIdPattern).test(id);
}
