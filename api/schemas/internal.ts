import { contentTypes, sourceTypes } from '../../core/states.js';
import { artifactTypePattern } from '@knowledge-warehouse/plugin/protocol';
import { uploadId } from '../examples/ids.js';
import { claim, step } from '../examples/worker.js';
import { metadataSchema } from './metadata.js';
import { typed } from './typed.js';

/** Schemas of messages between plugin workers and Core, in addition to @knowledge-warehouse/plugin/protocol. */

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
      description: 'Put it into the report of the same attempt instead of `content`.',
    },
    type: { type: 'string', description: 'The type of the artifact, as requested.' },
    content_type: { type: 'string', enum: contentTypes, description: 'The type of the content.' },
    size_bytes: { type: 'integer', minimum: 0, description: 'The number of bytes received.' },
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
  properties: { config: { type: 'object', description: 'The config that the plugin reads.' } },
  examples: [{ config: { size: 512, overlap: 64 } }],
} as const;

export const stepMessageSchema = {
  type: 'object',
  required: ['protocol', 'attempt', 'run', 'step_index', 'resource', 'plugin', 'inputs', 'callback'],
  properties: {
    protocol: { const: 'kw.step/1' },
    attempt: {
      type: 'object',
      description: 'The attempt.',
      required: ['number', 'max', 'deadline', 'remaining_ms'],
      properties: {
        number: { type: 'integer', minimum: 1, description: 'From 1; a step uses no number twice.' },
        max: {
          type: 'integer',
          minimum: 1,
          description: 'The number of the last attempt: if it fails, the step fails.',
        },
        deadline: {
          type: 'string',
          format: 'date-time',
          description: 'Reports after it get ATTEMPT_CLOSED once Core has noticed.',
        },
        remaining_ms: {
          type: 'integer',
          minimum: 0,
          description:
            'Milliseconds until the deadline, counted from when this was sent. Use it if your clock may be wrong.',
        },
      },
    },
    run: { type: 'integer', minimum: 1, description: 'The run of the resource.' },
    step_index: {
      type: 'integer',
      minimum: 0,
      description: 'The index of the step in the pipeline, from 0.',
    },
    resource: {
      type: 'object',
      description: 'The resource to process.',
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
        name: { type: 'string', description: 'The display name.' },
        type: { type: 'string', description: 'The type that selected the pipeline.' },
        source_type: {
          type: 'string',
          enum: sourceTypes,
          description: 'Whether the source was uploaded or fetched.',
        },
        media_type: {
          type: ['string', 'null'],
          description: 'The media type of the source, detected from its bytes.',
        },
        size_bytes: { type: ['integer', 'null'], description: 'The size of the source.' },
        sha256: { type: ['string', 'null'], description: 'The SHA-256 hash of the source, in hex.' },
        metadata: metadataSchema,
        source_url: { type: 'string', description: 'The URL of the bytes; read it with the callback token.' },
      },
    },
    plugin: {
      type: 'object',
      description: 'The plugin that processes it.',
      required: ['id', 'config'],
      properties: {
        id: { type: 'string', description: 'The id of the plugin.' },
        config: { type: 'object', description: 'The config as of the start of the attempt.' },
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
          type: { type: 'string', description: 'The name that its plugin gave it.' },
          content_type: { type: 'string', enum: contentTypes, description: 'The type of its content.' },
          metadata: {
            type: 'object',
            description: 'What its plugin reported about it, in addition to the content.',
          },
          url: { type: 'string', description: 'The URL of the content; read it with the callback token.' },
        },
      },
    },
    callback: {
      type: 'object',
      description: 'How to report the outcome.',
      required: ['url', 'token'],
      properties: {
        url: { type: 'string', description: 'Where to send the report.' },
        token: {
          type: 'string',
          description: 'The bearer token of this attempt, for the callback, the source and the inputs.',
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
        settled: { const: true, description: 'The attempt is closed: the activity must return at once.' },
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
    duplicate: { type: 'boolean', description: 'The attempt was already settled by an equal report.' },
    cancel_requested: {
      type: 'boolean',
      description: 'The run is about to end: the worker may stop working on it.',
    },
  },
  examples: [{ accepted: true, duplicate: false, cancel_requested: false }],
} as const;
