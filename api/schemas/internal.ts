import { contentTypes } from '../../core/states.js';
import { artifactTypePattern } from '../../core/wire/report.js';
import { typed } from './typed.js';

/** Schemas of what plugin workers exchange with Core, beside those of core/wire. */

export const claimSchema = typed({
  type: 'object',
  additionalProperties: false,
  required: ['resource_id', 'run', 'step_index', 'attempt'],
  properties: {
    resource_id: { type: 'string', maxLength: 100, description: '`resource_id` of the activity’s argument.' },
    run: { type: 'integer', minimum: 1, maximum: 2147483647 },
    step_index: { type: 'integer', minimum: 0, maximum: 49 },
    attempt: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: '`attempt_base` of the activity’s argument plus Temporal’s attempt number.',
    },
  },
  examples: [{ resource_id: '01a1fbf8-5123-7763-82ff-e4716eb5a845', run: 1, step_index: 0, attempt: 1 }],
});

export const uploadQuery = typed({
  type: 'object',
  additionalProperties: false,
  required: ['type', 'content_type'],
  properties: {
    type: { type: 'string', pattern: artifactTypePattern, description: 'The type of the artifact.' },
    content_type: {
      type: 'string',
      enum: contentTypes,
      description: 'What the body is: text, the JSON of an object, or the JSON of a vector.',
    },
  },
});

export const uploadSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['upload_id', 'type', 'content_type', 'size_bytes'],
  properties: {
    upload_id: {
      type: 'string',
      format: 'uuid',
      description: 'Stands in the report of the same attempt in place of `content`.',
    },
    type: { type: 'string' },
    content_type: { type: 'string', enum: contentTypes },
    size_bytes: { type: 'integer', minimum: 0 },
  },
  examples: [
    {
      upload_id: '01a1fbf8-5123-7763-82ff-e4716eb5a845',
      type: 'text',
      content_type: 'text',
      size_bytes: 2_097_152,
    },
  ],
} as const;

export const pluginConfigAnswerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['config'],
  properties: { config: { type: 'object' } },
} as const;

export const stepMessageSchema = {
  title: 'Step',
  type: 'object',
  required: ['protocol', 'attempt', 'run', 'step_index', 'resource', 'plugin', 'inputs', 'callback'],
  properties: {
    protocol: { const: 'kw.step/1' },
    attempt: {
      type: 'object',
      required: ['number', 'max', 'deadline'],
      properties: {
        number: { type: 'integer', minimum: 1 },
        max: { type: 'integer', minimum: 1 },
        deadline: { type: 'string', format: 'date-time' },
      },
    },
    run: { type: 'integer', minimum: 1 },
    step_index: { type: 'integer', minimum: 0 },
    resource: {
      type: 'object',
      required: ['id', 'name', 'type', 'media_type', 'size_bytes', 'sha256', 'source_url'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        name: { type: 'string' },
        type: { type: 'string' },
        media_type: { type: ['string', 'null'] },
        size_bytes: { type: ['integer', 'null'] },
        sha256: { type: ['string', 'null'] },
        source_url: { type: 'string', description: 'The bytes themselves, read with the callback token.' },
      },
    },
    plugin: {
      type: 'object',
      required: ['id', 'config'],
      properties: { id: { type: 'string' }, config: { type: 'object' } },
    },
    inputs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['artifact_id', 'type', 'content_type', 'url'],
        properties: {
          artifact_id: { type: 'string', format: 'uuid' },
          type: { type: 'string' },
          content_type: { type: 'string', enum: ['text', 'json', 'vector'] },
          url: { type: 'string', description: 'The content itself, read with the callback token.' },
        },
      },
    },
    callback: {
      type: 'object',
      required: ['url', 'token'],
      properties: { url: { type: 'string' }, token: { type: 'string' } },
    },
  },
} as const;

export const claimAnswerSchema = {
  oneOf: [
    stepMessageSchema,
    {
      title: 'Nothing to do',
      type: 'object',
      additionalProperties: false,
      required: ['settled'],
      properties: {
        settled: { const: true, description: 'The attempt is closed: the activity is to return at once.' },
      },
    },
  ],
} as const;

export const acceptedSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['accepted', 'duplicate', 'cancel_requested'],
  properties: {
    accepted: { const: true },
    duplicate: { type: 'boolean', description: 'The attempt was settled with an equal report before.' },
    cancel_requested: {
      type: 'boolean',
      description: 'The run is to end: the worker may stop working on it.',
    },
  },
  examples: [{ accepted: true, duplicate: false, cancel_requested: false }],
} as const;
