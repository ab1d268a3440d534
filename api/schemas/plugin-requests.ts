import { pluginKinds } from '../../core/states.js';
import { artifactTypePattern } from '@knowledge-warehouse/plugin/protocol';
import { newOcr } from '../examples/plugin.js';
import { label, objectOf, plainText, tokenOrNull } from './common.js';
import type { ParamSchema } from './param.js';
import { typed, type TypeOf } from './typed.js';

export const pluginIdPattern = '^[a-z0-9][a-z0-9-]{0,62}$';

export const pluginIdParam: ParamSchema = {
  type: 'string',
  title: 'plugin',
  description: 'The id of the plugin.',
  pattern: pluginIdPattern,
  examples: ['chunk-text'],
};

export const pluginId = {
  type: 'string',
  pattern: pluginIdPattern,
  description: 'Lower-case letters, digits and hyphens; 63 characters at most.',
  examples: ['ocr'],
} as const;

const multiline = { pattern: '^[^\\u0000]*$', 'x-well-formed': true } as const;
const config = {
  type: 'object',
  description:
    'Any JSON object: 64 levels and 256 KiB at most. It is stored unchanged; only the plugin interprets it.',
  examples: [newOcr.config],
} as const;
const configSchema = {
  type: ['object', 'boolean', 'null'],
  description:
    'A JSON Schema (draft 2020-12) of the config. Mismatches are reported as `config_warnings`. Only admin keys see values that it marks `writeOnly`; a plugin’s own key cannot remove the mark from a stored value. References to other documents are refused.',
} as const;
const produces = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', pattern: artifactTypePattern },
  description: 'The types of the artifacts it makes.',
  examples: [['text']],
} as const;
const reads = {
  type: ['array', 'null'],
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', pattern: artifactTypePattern },
  description:
    'The types of the artifacts of earlier steps that it requires; empty: it needs only the source; null: not declared. The service does not enforce it; the page warns if no earlier step makes such an artifact.',
  examples: [['text']],
} as const;
const heartbeatSeconds = {
  type: ['number', 'null'],
  minimum: 1,
  maximum: 3600,
  description: 'An attempt fails if its worker is silent for more than this many seconds; null: no limit.',
} as const;

/** The properties of a plugin in a registration. */
export const declared = {
  name: label(500, 'The display name.', 'Optical character recognition'),
  description: { type: 'string', maxLength: 10_000, ...multiline, description: 'What it does.' },
  version: {
    type: 'string',
    maxLength: 100,
    ...plainText,
    description: 'The version of the worker, for people.',
    examples: ['1.2.0'],
  },
  kind: {
    type: 'string',
    enum: pluginKinds,
    description:
      'activity: your Temporal worker runs its steps; http: Core posts its steps to your endpoint.',
  },
  task_queue: tokenOrNull(200, 'The task queue that the workers of an activity plugin poll.', 'ocr'),
  activity_type: tokenOrNull(200, 'The activity type of an activity plugin.', 'recogniseText'),
  endpoint: tokenOrNull(
    2000,
    'The URL that Core posts the steps of an http plugin to.',
    'https://ocr.example.com/steps',
  ),
  config,
  config_schema: configSchema,
  produces,
  reads,
  heartbeat_seconds: heartbeatSeconds,
  cleanup_activity_type: tokenOrNull(
    200,
    'The activity type that removes what an activity plugin stores elsewhere.',
    'forgetVectors',
  ),
} as const;

/** Required and forbidden properties for each kind of plugin. */
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

export const newPluginSchema = typed({
  type: 'object',
  required: ['id', 'name', 'kind'],
  additionalProperties: false,
  properties: { id: pluginId, ...declared },
  allOf: routingRules,
  examples: [newOcr],
});

const pluginRegistration = {
  type: 'object',
  required: ['name', 'kind'],
  additionalProperties: false,
  properties: {
    id: { ...pluginId, description: 'If given, it must equal the id in the path.' },
    ...declared,
  },
  allOf: routingRules,
} as const;

/** Creates or updates the plugin in the path. */
export const pluginRegistrationSchema = typed(pluginRegistration);

export const pluginConfigSchema = typed({
  title: 'PluginConfigChange',
  ...objectOf({ config }),
  examples: [{ config: { size: 256, overlap: 32 } }],
});

/** The properties of both ways to register a plugin. */
export type NewPlugin = Omit<TypeOf<typeof pluginRegistration>, 'id'>;

export function isPluginId(id: string): boolean {
  return new RegExp(pluginIdPattern).test(id);
}
