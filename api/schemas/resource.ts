import { resourceStatuses, sourceTypes } from '../../core/states.js';
import { handbook, listedHandbook } from '../examples/resource.js';
import { artifactSchema } from './artifact.js';
import {
  count,
  flag,
  objectOf,
  text,
  textOrNull,
  timeOrNull,
  timestamp,
  timestampOrNull,
  uuid,
} from './common.js';
import { metadataSchema } from './metadata.js';
import { runErrorSchema, stepSchema } from './run.js';

const listed = {
  id: uuid,
  name: text('The display name.', 'Archive handbook'),
  type: text('Selects the pipeline with this trigger type.', 'document'),
  source_type: {
    type: 'string',
    enum: sourceTypes,
    description: 'Whether the source is an upload or a URL.',
  },
  source_uri: textOrNull('The URL of a URL source; null for an upload.'),
  status: {
    type: 'string',
    enum: resourceStatuses,
    description: 'PENDING: no pipeline matched when it was registered; nothing runs until it is reprocessed.',
  },
  no_matching_pipeline: flag('Whether no pipeline currently has its type as trigger type.'),
  is_enabled: flag('Whether search and language models see the resource. It has no effect on processing.'),
  metadata: metadataSchema,
  run: count('The number of its newest run; 0: never processed.'),
  size_bytes: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'The size of the source; null until the URL has been fetched.',
  },
  sha256: textOrNull('The SHA-256 hash of the source, in hex.'),
  media_type: textOrNull(
    'The media type of the source, detected from its bytes; null until the URL has been fetched.',
    'application/pdf',
  ),
  error: runErrorSchema,
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timeOrNull('When its newest run was requested.'),
  finished_at: timestampOrNull,
  workflow_id: textOrNull(
    'The workflow id of its newest run, for the Temporal Web UI.',
    handbook.workflow_id,
  ),
} as const;

/** A list shows these only on request. */
const parts = {
  steps: { type: 'array', items: stepSchema, description: 'The steps of the newest run.' },
  artifacts: {
    type: 'array',
    items: artifactSchema,
    description: 'The artifacts so far, without their contents.',
  },
} as const;

export const listedResourceSchema = {
  ...objectOf(listed),
  properties: { ...listed, ...parts },
  examples: [listedHandbook],
} as const;

export const resourceSchema = { ...objectOf({ ...listed, ...parts }), examples: [handbook] } as const;
