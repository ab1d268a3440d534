import { contentTypes, sourceTypes } from '../../core/states.js';
import { artifactTypePattern } from '@knowledge-warehouse/plugin/protocol';
import { uploadId } from '../examples/ids.js';
import { claim, step } from '../examples/worker.js';
import { count, flag, objectOf, text, textOrNull } from './common.js';
import { metadataSchema } from './metadata.js';
import { typed } from './typed.js';

/** Schemas of messages between plugin workers and Core, in addition to @knowledge-warehouse/plugin/protocol. */

export const claimSchema = typed({
  title: 'Claim',
  ...objectOf({
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
  }),
  examples: [claim],
});

export const uploadQuery = typed(
  objectOf({
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
  }),
);

export const uploadSchema = {
  title: 'UploadedContent',
  ...objectOf({
    upload_id: {
      type: 'string',
      format: 'uuid',
      description: 'Put it into the report of the same attempt instead of `content`.',
    },
    type: text('The type of the artifact, as requested.'),
    content_type: { type: 'string', enum: contentTypes, description: 'The type of the content.' },
    size_bytes: count('The number of bytes received.'),
  }),
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
  ...objectOf({ config: { type: 'object', description: 'The config that the plugin reads.' } }),
  examples: [{ config: { size: 512, overlap: 64 } }],
} as const;

export const stepMessageSchema = {
  ...objectOf({
    protocol: { const: 'kw.step/1' },
    attempt: {
      description: 'The attempt.',
      ...objectOf({
        number: count('The number of the attempt, from 1. A step never uses a number twice.', 1),
        max: count('The number of the last attempt: if it fails, the step fails.', 1),
        deadline: {
          type: 'string',
          format: 'date-time',
          description:
            'When the attempt times out. Core then closes it, and later reports get ATTEMPT_CLOSED.',
        },
        remaining_ms: count(
          'Milliseconds until the deadline, counted from when this was sent. Use it if your clock may be wrong.',
        ),
      }),
    },
    run: count('The run of the resource.', 1),
    step_index: count('The index of the step in the pipeline, from 0.'),
    resource: {
      description: 'The resource to process.',
      ...objectOf({
        id: { type: 'string', format: 'uuid', description: 'The id of the resource.' },
        name: text('The display name.'),
        type: text('The type that selected the pipeline.'),
        source_type: {
          type: 'string',
          enum: sourceTypes,
          description: 'Whether the source was uploaded or fetched.',
        },
        media_type: textOrNull('The media type of the source, detected from its bytes.'),
        size_bytes: { type: ['integer', 'null'], description: 'The size of the source.' },
        sha256: textOrNull('The SHA-256 hash of the source, in hex.'),
        metadata: metadataSchema,
        source_url: text('The URL of the bytes; read it with the callback token.'),
      }),
    },
    plugin: {
      description: 'The plugin that processes it.',
      ...objectOf({
        id: text('The id of the plugin.'),
        config: { type: 'object', description: 'The config as of the start of the attempt.' },
      }),
    },
    inputs: {
      type: 'array',
      description: 'The artifacts of earlier steps, the newest of each type.',
      items: objectOf({
        artifact_id: { type: 'string', format: 'uuid', description: 'The id of the artifact.' },
        type: text('Its type, which its plugin chose.'),
        content_type: { type: 'string', enum: contentTypes, description: 'The type of its content.' },
        metadata: {
          type: 'object',
          description: 'What its plugin reported about it, in addition to the content.',
        },
        url: text('The URL of the content; read it with the callback token.'),
      }),
    },
    callback: {
      description: 'How to report the outcome.',
      ...objectOf({
        url: text('Where to send the report.'),
        token: text('The bearer token of this attempt, for the callback, the source and the inputs.'),
      }),
    },
  }),
  examples: [step],
} as const;

export const claimAnswerSchema = {
  title: 'ClaimAnswer',
  oneOf: [
    stepMessageSchema,
    {
      title: 'SettledAttempt',
      ...objectOf({
        settled: { const: true, description: 'The attempt is closed: the activity must return at once.' },
      }),
    },
  ],
} as const;

export const acceptedSchema = {
  ...objectOf({
    accepted: { const: true },
    duplicate: flag('The attempt was already settled by an equal report.'),
    cancel_requested: flag('The run is about to end: the worker may stop working on it.'),
  }),
  examples: [{ accepted: true, duplicate: false, cancel_requested: false }],
} as const;
