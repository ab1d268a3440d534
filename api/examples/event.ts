import { resourceId, textId } from './ids.js';

/** Events on a stream while handbook.pdf is processed. */
export const resourceEvent = {
  at: '2025-11-20T09:30:03.381Z',
  resource_id: resourceId,
  id: resourceId,
  name: 'Archive handbook',
  type: 'document',
  status: 'COMPLETED',
  run: 1,
  is_enabled: true,
  updated_at: '2025-11-20T09:30:03.381Z',
  error: null,
};
export const stepEvent = {
  at: '2025-11-20T09:30:01.904Z',
  resource_id: resourceId,
  run: 1,
  index: 0,
  plugin_id: 'extract-text',
  status: 'RUNNING',
  attempt: 1,
  max_attempts: 3,
  started_at: '2025-11-20T09:30:00.578Z',
  attempt_started_at: '2025-11-20T09:30:00.702Z',
  finished_at: null,
  queue_seconds: 0.124,
  run_seconds: null,
  progress: { fraction: 0.4, message: 'Page 52 of 130' },
  error: null,
  waiting_for: null,
};
export const artifactEvent = {
  at: '2025-11-20T09:30:02.791Z',
  resource_id: resourceId,
  artifact_id: textId,
  type: 'text',
  content_type: 'text',
  step_index: 0,
  plugin_id: 'extract-text',
  run: 1,
  size_bytes: 151_142,
  updated_at: '2025-11-20T09:30:02.791Z',
};

const frame = (id: string, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The same as frames. */
export const frames = {
  'A step makes progress': frame('3f1c52d07a9e-7141-5117', 'step.updated', stepEvent),
  'An artifact was stored': frame('3f1c52d07a9e-7142-5118', 'artifact.updated', artifactEvent),
  'A resource was completed': frame('3f1c52d07a9e-7143-5120', 'resource.updated', resourceEvent),
};
