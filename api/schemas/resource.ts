import { contentTypes, resourceStatuses, runStatuses, sourceTypes, stepStatuses } from '../../core/states.js';
import { label, pageParameters, plainText, searchText, timestamp, timestampOrNull, uuid } from './common.js';
import { typed } from './typed.js';

const stepError = {
  type: ['object', 'null'],
  required: ['code', 'message', 'details'],
  additionalProperties: false,
  description: 'Why the last attempt failed.',
  properties: {
    code: {
      type: 'string',
      description: "The plugin's own code, or one of Core's.",
      examples: ['STEP_TIMED_OUT'],
    },
    message: { type: 'string' },
    details: { type: 'object' },
  },
} as const;

/** A step of a run. */
export const stepSchema = {
  type: 'object',
  required: [
    'index',
    'plugin_id',
    'status',
    'attempt',
    'max_attempts',
    'started_at',
    'finished_at',
    'progress',
    'error',
    'waiting_for',
  ],
  additionalProperties: false,
  properties: {
    index: { type: 'integer', minimum: 0, description: 'Its place in the pipeline, from 0.' },
    plugin_id: { type: 'string', examples: ['extract-text'] },
    status: {
      type: 'string',
      enum: stepStatuses,
      description: 'RETRYING: an attempt failed, another one is to come.',
    },
    attempt: {
      type: 'integer',
      minimum: 0,
      description: 'The number of the newest attempt; 0 before the first.',
    },
    max_attempts: { type: 'integer', minimum: 1, description: 'Attempts at most, interrupted ones added.' },
    started_at: timestampOrNull,
    finished_at: timestampOrNull,
    progress: {
      type: ['object', 'null'],
      required: ['fraction', 'message'],
      additionalProperties: false,
      description: 'How far the worker says it is.',
      properties: {
        fraction: { type: ['number', 'null'], minimum: 0, maximum: 1 },
        message: { type: ['string', 'null'], examples: ['page 8 of 20'] },
      },
    },
    error: stepError,
    waiting_for: {
      type: ['object', 'null'],
      required: ['kind', 'until', 'task_queue', 'message'],
      additionalProperties: false,
      description:
        'Why a step does not get on: no worker took it yet, a worker will report, a pause, the fetch of the URL.',
      properties: {
        kind: { type: 'string', enum: ['worker', 'callback', 'retry', 'fetch'] },
        until: timestampOrNull,
        task_queue: { type: ['string', 'null'] },
        message: { type: 'string', examples: ['No worker polls the task queue ocr.'] },
      },
    },
  },
} as const;

/** An artifact as a resource lists it: everything but its content. */
export const artifactSchema = {
  type: 'object',
  required: [
    'id',
    'type',
    'content_type',
    'step_index',
    'plugin_id',
    'run',
    'size_bytes',
    'metadata',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: { ...uuid, description: 'Kept when a later run produces the artifact again.' },
    type: { type: 'string', description: 'The name the plugin gave it.', examples: ['text'] },
    content_type: { type: 'string', enum: contentTypes },
    step_index: { type: 'integer', minimum: 0 },
    plugin_id: { type: 'string', examples: ['extract-text'] },
    run: { type: 'integer', minimum: 1, description: 'The run that made its content.' },
    size_bytes: { type: 'integer', minimum: 0 },
    metadata: { type: 'object' },
    created_at: timestamp,
    updated_at: timestamp,
  },
} as const;

const resourceProperties = {
  id: uuid,
  name: { type: 'string', examples: ['Annual report 2024'] },
  type: {
    type: 'string',
    description: 'Selects the pipeline with this trigger type.',
    examples: ['document'],
  },
  source_type: { type: 'string', enum: sourceTypes },
  source_uri: { type: ['string', 'null'], description: 'The URL of a URL source; null for an upload.' },
  status: {
    type: 'string',
    enum: resourceStatuses,
    description: 'PENDING: no pipeline matched when it was registered, nothing runs until it is reprocessed.',
  },
  no_matching_pipeline: { type: 'boolean', description: 'No pipeline has its type as trigger type now.' },
  is_enabled: {
    type: 'boolean',
    description: 'Whether it is shown to language models. Processing ignores it.',
  },
  run: { type: 'integer', minimum: 0, description: 'The number of its newest run; 0: never processed.' },
  steps: { type: 'array', items: stepSchema, description: 'Of the newest run.' },
  artifacts: { type: 'array', items: artifactSchema },
  size_bytes: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'Of the source; null until a URL was fetched.',
  },
  sha256: { type: ['string', 'null'], description: 'Of the source, in hex.' },
  media_type: { type: ['string', 'null'], examples: ['application/pdf'] },
  error: {
    type: ['object', 'null'],
    required: ['code', 'message', 'step'],
    additionalProperties: false,
    description: 'Why it is FAILED.',
    properties: {
      code: { type: 'string', examples: ['STEP_TIMED_OUT'] },
      message: { type: 'string' },
      step: {
        type: ['integer', 'null'],
        description: 'The index of the step that failed; null where none did.',
      },
    },
  },
  created_at: timestamp,
  updated_at: timestamp,
  started_at: { ...timestampOrNull, description: 'When its newest run was asked for.' },
  finished_at: timestampOrNull,
  workflow_id: {
    type: ['string', 'null'],
    description: 'Of its newest run, as the Temporal Web UI finds it.',
    examples: ['resource-019a9f5e-7c1b-7d4e-8a51-0e6f2a9b3c4d-run-1'],
  },
} as const;

const listedFields = [
  'id',
  'name',
  'type',
  'source_type',
  'source_uri',
  'status',
  'no_matching_pipeline',
  'is_enabled',
  'run',
  'size_bytes',
  'sha256',
  'media_type',
  'error',
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
  'workflow_id',
] as const;

/** A resource in a list. */
export const listedResourceSchema = {
  type: 'object',
  required: listedFields,
  additionalProperties: false,
  properties: resourceProperties,
} as const;

/** One resource. */
export const resourceSchema = {
  type: 'object',
  required: [...listedFields, 'steps', 'artifacts'],
  additionalProperties: false,
  properties: resourceProperties,
} as const;

/** A run of a resource. */
export const runSchema = {
  type: 'object',
  required: ['run', 'status', 'workflow_id', 'started_at', 'finished_at', 'error', 'steps'],
  additionalProperties: false,
  properties: {
    run: { type: 'integer', minimum: 1 },
    status: { type: 'string', enum: runStatuses },
    workflow_id: { type: 'string' },
    started_at: timestamp,
    finished_at: timestampOrNull,
    error: resourceProperties.error,
    steps: { type: 'array', items: stepSchema },
  },
} as const;

/** An artifact with its content. */
export const artifactContentSchema = {
  type: 'object',
  required: ['id', 'type', 'content_type', 'content'],
  additionalProperties: false,
  properties: {
    id: uuid,
    type: artifactSchema.properties.type,
    content_type: artifactSchema.properties.content_type,
    content: {
      description:
        'A string (text), an object (json), an array of numbers or an array of such arrays of one length (vector).',
      anyOf: [
        { type: 'string' },
        { type: 'object' },
        {
          type: 'array',
          items: { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'number' } }] },
        },
      ],
    },
  },
} as const;

const name = label(500, 'What people call it.', 'Annual report 2024');
const type = label(100, 'Selects the pipeline with this trigger type.', 'document');

/** Registers a resource. */
export const newResourceSchema = typed({
  type: 'object',
  required: ['name', 'type', 'source'],
  additionalProperties: false,
  properties: {
    name,
    type,
    source: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: sourceTypes } },
      discriminator: { propertyName: 'kind' },
      oneOf: [
        {
          title: 'URL',
          required: ['url'],
          additionalProperties: false,
          properties: {
            kind: { const: 'URL' },
            url: {
              type: 'string',
              minLength: 1,
              maxLength: 8000,
              ...plainText,
              description:
                'Where the source is: http or https, on the public internet. Fetched once per run.',
              examples: ['https://example.com/report.pdf'],
            },
          },
        },
        {
          title: 'Upload',
          description: 'Only in a multipart/form-data request, which brings the file.',
          additionalProperties: false,
          properties: { kind: { const: 'UPLOAD' } },
        },
      ],
    },
  },
  examples: [
    {
      name: 'Annual report',
      type: 'webpage',
      source: { kind: 'URL', url: 'https://example.com/report.html' },
    },
  ],
});

/** The form of an upload. */
export const uploadFormSchema = {
  type: 'object',
  required: ['name', 'type', 'file'],
  properties: {
    name,
    type,
    source: {
      type: 'string',
      description: 'The JSON text `{"kind":"UPLOAD"}`; may be left out.',
      examples: ['{"kind":"UPLOAD"}'],
    },
    file: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'The file; not empty.',
    },
  },
} as const;

/** Edits a resource. */
export const resourceChangesSchema = typed({
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { name, is_enabled: { type: 'boolean' } },
  examples: [{ name: 'Annual report 2024, final' }],
});

/** Asks for another run. */
export const reprocessSchema = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    from_step: {
      description:
        'Resumes the last run from this step, with its pipeline as it was and the artifacts of the steps before it; `failed` is the first step that did not complete. Without it the pipeline as it is now runs from step 0.',
      anyOf: [{ type: 'integer', minimum: 0 }, { const: 'failed' }],
      examples: ['failed'],
    },
  },
});

/** Asks for another run of many resources. */
export const bulkReprocessSchema = typed({
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    type: searchText('Only resources of this type.', 'document'),
    status: { type: 'string', enum: resourceStatuses, description: 'Only resources in this status.' },
  },
  examples: [{ type: 'document', status: 'FAILED' }],
});

export const bulkReprocessAnswerSchema = {
  type: 'object',
  required: ['count'],
  additionalProperties: false,
  properties: { count: { type: 'integer', minimum: 0, description: 'How many resources get a new run.' } },
} as const;

/** What resources are listed by. */
export const resourceQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    q: searchText('Part of the name, in any case.', 'report'),
    type: searchText('The type.', 'document'),
    status: { type: 'string', enum: resourceStatuses, description: 'The status.' },
    is_enabled: { type: 'boolean', description: 'Whether it is enabled.' },
    source_type: { type: 'string', enum: sourceTypes, description: 'Where its source is from.' },
    include: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: ['steps', 'artifacts'] },
      description: 'What else each resource shows.',
    },
    ...pageParameters,
  },
});
