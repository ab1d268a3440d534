import { resourceStatuses, sourceTypes } from '../../core/states.js';
import { handbook, listedHandbook } from '../examples/resource.js';
import { artifactSchema } from './artifact.js';
import { timestamp, timestampOrNull, uuid } from './common.js';
import { metadataSchema } from './metadata.js';
import { runErrorSchema, stepSchema } from './run.js';

const resourceProperties = {
  id: uuid,
  name: { type: 'string', description: 'The display name.', examples: ['Archive handbook'] },
  type: {
    type: 'string',
    description: 'Selects the pipeline with this trigger type.',
    examples: ['document'],
  },
  source_type: {
    type: 'string',
    enum: sourceTypes,
    description: 'Whether the source is an upload or a URL.',
  },
  source_uri: { type: ['string', 'null'], description: 'The URL of a URL source; null for an upload.' },
  status: {
    type: 'string',
    enum: resourceStatuses,
    description: 'PENDING: no pipeline matched when it was registered; nothing runs until it is reprocessed.',
  },
  no_matching_pipeline: {
    type: 'boolean',
    description: 'Whether no pipeline currently has its type as trigger type.',
  },
  is_enabled: {
    type: 'boolean',
    description: 'Whether search and language models see it. Processing ignores it.',
  },
  metadata: metadataSchema,
  run: { type: 'integer', minimum: 0, description: 'The number of its newest run; 0: never processed.' },
  steps: { type: 'array', items: stepSchema, description: 'The steps of the newest run.' },
  artifacts: {
    type: 'array',
    items: artifactSchema,
    description: 'The artifacts so far, without their contents.',
  },
  size_bytes: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'The size of the source; null until the URL has been fetched.',
  },
  sha256: { type: ['string', 'null'], description: 'The SHA-256 hash of the source, in hex.' },
  media_type: {
    type: ['string', 'null'],
    description:
      'The media type of the source, detected from its bytes; null until the URL has been fetched.',
    examples: ['application/pdf'],
  },
  error: runErrorSchema,
  created_at: timestamp,
  updated_at: timestamp,
  started_at: { ...timestampOrNull, description: 'When its newest run was requested.' },
  finished_at: timestampOrNull,
  workflow_id: {
    type: ['string', 'null'],
    description: 'The workflow id of its newest run, for the Temporal Web UI.',
    examples: [handbook.workflow_id],
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
  'metadata',
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

export const listedResourceSchema = {
  type: 'object',
  required: listedFields,
  additionalProperties: false,
  properties: resourceProperties,
  examples: [listedHandbook],
} as const;

export const resourceSchema = {
  type: 'object',
  required: [...listedFields, 'steps', 'artifacts'],
  additionalProperties: false,
  properties: resourceProperties,
  examples: [handbook],
} as const;
