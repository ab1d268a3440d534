import { chunksId, metadataId, resourceId, sourceHash, textId } from './ids.js';

const registered = '2025-11-20T09:30:00.123Z';

const extracted = {
  index: 0,
  plugin_id: 'extract-text',
  status: 'COMPLETED',
  attempt: 1,
  max_attempts: 3,
  started_at: '2025-11-20T09:30:00.578Z',
  attempt_started_at: '2025-11-20T09:30:00.702Z',
  finished_at: '2025-11-20T09:30:02.791Z',
  queue_seconds: 0.124,
  run_seconds: 2.089,
  progress: { fraction: 1, message: 'Page 130 of 130' },
  error: null,
  waiting_for: null,
};
const chunked = {
  ...extracted,
  index: 1,
  plugin_id: 'chunk-text',
  started_at: '2025-11-20T09:30:02.791Z',
  attempt_started_at: '2025-11-20T09:30:02.803Z',
  finished_at: '2025-11-20T09:30:03.381Z',
  queue_seconds: 0.012,
  run_seconds: 0.578,
  progress: null,
};

const retrying = {
  ...extracted,
  status: 'RETRYING',
  started_at: '2025-11-20T10:15:00.402Z',
  attempt_started_at: null,
  finished_at: null,
  queue_seconds: 0.098,
  run_seconds: null,
  progress: null,
  error: { code: 'STEP_TIMED_OUT', message: 'The attempt did not end in time.', details: {} },
  waiting_for: {
    kind: 'retry',
    until: '2025-11-20T10:25:05.410Z',
    task_queue: null,
    message: 'Attempt 1 failed with STEP_TIMED_OUT; the next one starts after a pause.',
  },
};

const text = {
  id: textId,
  type: 'text',
  content_type: 'text',
  step_index: 0,
  plugin_id: 'extract-text',
  run: 1,
  size_bytes: 167_632,
  metadata: {
    text_format: 'plain',
    pages: [
      { number: 1, start: 0 },
      { number: 2, start: 1_289 },
    ],
  },
  created_at: '2025-11-20T09:30:02.748Z',
  updated_at: '2025-11-20T09:30:02.748Z',
};
const metadata = {
  ...text,
  id: metadataId,
  type: 'metadata',
  content_type: 'json',
  size_bytes: 4_012,
  metadata: {},
};
const chunks = {
  ...text,
  id: chunksId,
  type: 'chunks',
  content_type: 'json',
  step_index: 1,
  plugin_id: 'chunk-text',
  size_bytes: 205_432,
  metadata: { count: 98, unit: 'tokens', size: 512, overlap: 64, encoding: 'o200k_base' },
  created_at: '2025-11-20T09:30:03.331Z',
  updated_at: '2025-11-20T09:30:03.331Z',
};

/** The handbook as a list shows it, COMPLETED. */
export const listedHandbook = {
  id: resourceId,
  name: 'Archive handbook',
  type: 'document',
  source_type: 'UPLOAD',
  source_uri: null,
  status: 'COMPLETED',
  no_matching_pipeline: false,
  is_enabled: true,
  metadata: { team: 'archive', year: 2025, tags: ['handbook', 'printed'] },
  run: 1,
  size_bytes: 151_142,
  sha256: sourceHash,
  media_type: 'application/pdf',
  error: null,
  created_at: registered,
  updated_at: '2025-11-20T09:30:03.381Z',
  started_at: registered,
  finished_at: '2025-11-20T09:30:03.381Z',
  workflow_id: `resource-${resourceId}-run-1`,
};

/** The handbook, COMPLETED. */
export const handbook = {
  ...listedHandbook,
  steps: [extracted, chunked],
  artifacts: [metadata, text, chunks],
};

const waiting = {
  status: 'PENDING',
  attempt: 0,
  started_at: null,
  attempt_started_at: null,
  finished_at: null,
  queue_seconds: null,
  run_seconds: null,
  progress: null,
};

/** The response to the registration of the handbook. */
export const newHandbook = {
  ...handbook,
  status: 'PROCESSING',
  updated_at: registered,
  finished_at: null,
  steps: handbook.steps.map((step) => ({ ...step, ...waiting })),
  artifacts: [],
};

/** The handbook after another run was requested. */
export const handbookAgain = {
  ...newHandbook,
  run: 2,
  updated_at: '2025-11-20T10:15:00.000Z',
  started_at: '2025-11-20T10:15:00.000Z',
  workflow_id: `resource-${resourceId}-run-2`,
  artifacts: handbook.artifacts,
};

/** The handbook after that run was cancelled. */
export const cancelledHandbook = {
  ...handbookAgain,
  status: 'CANCELLED',
  updated_at: '2025-11-20T10:15:00.250Z',
  finished_at: '2025-11-20T10:15:00.250Z',
  steps: handbookAgain.steps.map((step) => ({
    ...step,
    status: 'CANCELLED',
    finished_at: '2025-11-20T10:15:00.250Z',
  })),
};

/** The response to the registration of a web page. */
export const newPage = {
  ...newHandbook,
  id: '019aa09b-0f66-7e21-a4b8-3d9c1f70b5e2',
  name: 'Opening hours',
  type: 'webpage',
  source_type: 'URL',
  source_uri: 'https://example.com/opening-hours.html',
  size_bytes: null,
  sha256: null,
  media_type: null,
  workflow_id: 'resource-019aa09b-0f66-7e21-a4b8-3d9c1f70b5e2-run-1',
};

/** The handbook's first run. */
export const run = {
  run: 1,
  status: 'COMPLETED',
  workflow_id: `resource-${resourceId}-run-1`,
  started_at: registered,
  finished_at: '2025-11-20T09:30:03.381Z',
  error: null,
  steps: handbook.steps,
};

/** The handbook's second run, whose first step has failed once. */
export const runAtWork = {
  run: 2,
  status: 'PROCESSING',
  workflow_id: `resource-${resourceId}-run-2`,
  started_at: '2025-11-20T10:15:00.000Z',
  finished_at: null,
  error: null,
  steps: [retrying, { ...chunked, ...waiting }],
};

const beginning =
  '1. Intake\n\nSection 1.1 applies to file series 101. Every record is checked against its delivery note before it is\nplaced on a shelf.';

/** Artifacts with their content, by type of content. */
export const contents = {
  text: { id: textId, type: 'text', content_type: 'text', content: `${beginning} …` },
  json: {
    id: chunksId,
    type: 'chunks',
    content_type: 'json',
    content: {
      chunks: [
        {
          index: 0,
          text: beginning,
          start: 0,
          end: beginning.length,
          page_start: 1,
          page_end: 1,
          headings: [],
          tokens: 31,
        },
      ],
    },
  },
  vector: {
    id: '019aa099-7b12-7d53-9c40-8e1f6a2b0d77',
    type: 'embedding',
    content_type: 'vector',
    content: [
      [0.0182, -0.0417, 0.0933],
      [0.0075, -0.0268, 0.1104],
    ],
  },
};
