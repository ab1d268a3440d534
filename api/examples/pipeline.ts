import { documentsId } from './ids.js';

/** The pipeline of documents. */
export const documents = {
  id: documentsId,
  name: 'Documents',
  trigger_type: 'document',
  steps: [
    { plugin_id: 'extract-text', max_attempts: 3, backoff_seconds: 5, timeout_seconds: 600 },
    { plugin_id: 'chunk-text', max_attempts: 3, backoff_seconds: 5, timeout_seconds: 300 },
  ],
  created_at: '2025-11-19T08:00:00.000Z',
  updated_at: '2025-11-19T08:00:00.000Z',
};

/** The request that creates it. */
export const newDocuments = {
  name: 'Documents',
  trigger_type: 'document',
  steps: [{ plugin_id: 'extract-text', timeout_seconds: 600 }, { plugin_id: 'chunk-text' }],
};

/** Steps with longer timeouts for long documents. */
export const longDocumentSteps = [
  { plugin_id: 'extract-text', max_attempts: 5, backoff_seconds: 30, timeout_seconds: 1800 },
  { plugin_id: 'chunk-text' },
];

/** The pipeline with these steps. */
export const longDocuments = {
  ...documents,
  steps: [longDocumentSteps[0], documents.steps[1]],
  updated_at: '2025-11-20T10:00:00.000Z',
};
