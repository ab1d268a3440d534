import { contentTypes, sourceTypes } from '../../core/states.js';
import { artifactTypePattern } from '@knowledge-warehouse/plugin/protocol';
import { uploadId } from '../examples/ids.js';
import { claim, step } from '../examples/worker.js';
import { metadataSchema } from './metadata.js';
import { typed } from './typed.js';

/** Schemas of what plugin workers exchange with Core, beside those of @knowledge-warehouse/plugin/protocol. */

export const claimSchema = typed({
  title: 'Claim',
  type: 'object',
  additionalProperties: false,
  required: ['resource_id', 'run', 'step_index', 'attempt'],
  properties: {
    resource_id: { type: 'string', maxLength: 100, description: '`resource_id` of the activity’s argument.' },
    run: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: '`run` of the activity’s argument.',
    },
    step_index: {
      type: 'integer',
      minimum: 0,
      maximum: 49,
      description: '`step_index` of the activity’s argument.',
    },
    attempt: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: '`attempt_base` of the activity’s argument plus Temporal’s attempt number.',
    },
  },
  examples: [claim],
});

export const uploadQuery = typed({
  type: 'object',
  additionalProperties: false,
  required: ['type', 'content_type'],
  properties: {
    type: {
      type: 'string',
      pattern: artifactTypePattern,
      description: 'The type of the artifact.',
      examples: ['text'],
    },
    content_type: {
      type: 'string',
      enum: contentTypes,
      description: 'What the body is: text, the JSON of an object, or the JSON of a vector.',
      examples: ['text'],
    },
  },
});

export const uploadSchema = {
  title: 'UploadedContent',
  type: 'object',
  additionalProperties: false,
  required: ['upload_id', 'type', 'content_type', 'size_bytes'],
  properties: {
    upload_id: {
      type: 'string',
      format: 'uuid',
      description: 'Stands in the report of the same attempt in place of `content`.',
    },
    type: { type: 'string', description: 'The type of the artifact, as it was asked for.' },
    content_type: { type: 'string', enum: contentTypes, description: 'What the content is.' },
    size_bytes: { type: 'integer', minimum: 0, description: 'How much arrived.' },
  },
  examples: [
    {
      upload_id: uploadId,
      type: 'text',
      content_type: 'text',
      size_bytes: 2_097_152,
    },
  ],
} as const;

export const pluginConfigAnswerSchema = {
  title: 'PluginConfig',
  type: 'object',
  additionalProperties: false,
  required: ['config'],
  properties: { config: { type: 'object', description: 'As the plugin reads it.' } },
  examples: [{ config: { size: 512, overlap: 64 } }],
} as const;

export const stepMessageSchema = {
  type: 'object',
  required: ['protocol', 'attempt', 'run', 'step_index', 'resource', 'plugin', 'inputs', 'callback'],
  properties: {
    protocol: { const: 'kw.step/1' },
    attempt: {
      type: 'object',
      description: 'Which attempt this is.',
      required: ['number', 'max', 'deadline', 'remaining_ms'],
      properties: {
        number: { type: 'integer', minimum: 1, description: 'From 1; no number is used twice in a step.' },
        max: {
          type: 'integer',
          minimum: 1,
          description: 'The step fails for good when this one has failed.',
        },
        deadline: { type: 'string', format: 'date-time', description: 'Later reports are ATTEMPT_CLOSED.' },
        remaining_ms: {
          type: 'integer',
          minimum: 0,
          description:
            'Milliseconds until the deadline, counted from when this was sent. A worker whose clock may be wrong goes by it.',
        },
      },
    },
    run: { type: 'integer', minimum: 1, description: 'The run of the resource.' },
    step_index: {
      type: 'integer',
      minimum: 0,
      description: 'The place of the step in the pipeline, from 0.',
    },
    resource: {
      type: 'object',
      description: 'What is worked on.',
      required: [
        'id',
        'name',
        'type',
        'source_type',
        'media_type',
        'size_bytes',
        'sha256',
        'metadata',
        'source_url',
      ],
      properties: {
        id: { type: 'string', format: 'uuid', description: 'The id of the resource.' },
        name: { type: 'string', description: 'What people call it.' },
        type: { type: 'string', description: 'The type that selected the pipeline.' },
        source_type: {
          type: 'string',
          enum: sourceTypes,
          description: 'Whether the source was uploaded or fetched.',
        },
        media_type: { type: ['string', 'null'], description: 'Of the source, told by its bytes.' },
        size_bytes: { type: ['integer', 'null'], description: 'Of the source.' },
        sha256: { type: ['string', 'null'], description: 'Of the source, in hex.' },
        metadata: metadataSchema,
        source_url: { type: 'string', description: 'The bytes themselves, read with the callback token.' },
      },
    },
    plugin: {
      type: 'object',
      description: 'Who works on it.',
      required: ['id', 'config'],
      properties: {
        id: { type: 'string', description: 'The id of the plugin.' },
        config: { type: 'object', description: 'As it was when the attempt began.' },
      },
    },
    inputs: {
      type: 'array',
      description: 'The artifacts of earlier steps, the newest of each type.',
      items: {
        type: 'object',
        required: ['artifact_id', 'type', 'content_type', 'metadata', 'url'],
        properties: {
          artifact_id: { type: 'string', format: 'uuid', description: 'The id of the artifact.' },
          type: { type: 'string', description: 'The name its plugin gave it.' },
          content_type: { type: 'string', enum: contentTypes, description: 'What its content is.' },
          metadata: { type: 'object', description: 'What its plugin said of it beside its content.' },
          url: { type: 'string', description: 'The content itself, read with the callback token.' },
        },
      },
    },
    callback: {
      type: 'object',
      description: 'How the outcome is reported.',
      required: ['url', 'token'],
      properties: {
        url: { type: 'string', description: 'Where the report goes to.' },
        token: {
          type: 'string',
          description: 'The bearer token of this attempt, good for the callback, the source and the inputs.',
        },
      },
    },
  },
  examples: [step],
} as const;

export const claimAnswerSchema = {
  title: 'ClaimAnswer',
  oneOf: [
    stepMessageSchema,
    {
      title: 'SettledAttempt',
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
