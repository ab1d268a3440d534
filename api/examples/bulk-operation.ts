import { operationId, resourceId, scanId } from './ids.js';

/** Failed documents are processed again from the step that failed. */
export const runningOperation = {
  id: operationId,
  action: 'reprocess',
  filter: { type: 'document', status: 'FAILED' },
  from_step: 'failed',
  metadata: null,
  status: 'RUNNING',
  matched: 212,
  done: 80,
  skipped: { RESOURCE_PROCESSING: 3 },
  failed: {},
  stalled: null,
  created_at: '2025-11-20T10:00:00.000Z',
  finished_at: null,
} as const;

export const completedOperation = {
  ...runningOperation,
  status: 'COMPLETED',
  done: 209,
  finished_at: '2025-11-20T10:00:09.500Z',
} as const;

export const cancelledOperation = {
  ...runningOperation,
  status: 'CANCELLED',
  finished_at: '2025-11-20T10:00:04.250Z',
} as const;

export const operationPreview = {
  matched: 212,
  eligible: 209,
  skipped: { RESOURCE_PROCESSING: 3 },
  sample: [scanId, resourceId],
} as const;
