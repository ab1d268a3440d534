const chunkTextConfigSchema = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 1, default: 512 },
    overlap: { type: 'integer', minimum: 0, default: 64 },
  },
};

/** A built-in plugin, without the fields that only lists have. */
const chunkTextItself = {
  id: 'chunk-text',
  name: 'Chunk text',
  description: 'Cuts the text of earlier steps into chunks that overlap.',
  version: '1.0.0',
  kind: 'activity',
  task_queue: 'kw-core',
  activity_type: 'chunk-text',
  endpoint: null,
  config_schema: chunkTextConfigSchema,
  produces: ['chunks'],
  reads: ['text'],
  heartbeat_seconds: 10,
  cleanup_activity_type: null,
  is_active: true,
  built_in: true,
  created_at: '2025-11-19T08:00:00.000Z',
  updated_at: '2025-11-19T08:00:00.000Z',
  last_seen_at: '2025-11-20T09:30:02.802Z',
};

/** The deliveries of scans in one morning. */
export const ocrDeliveries = {
  succeeded: 118,
  failed: 2,
  success_rate: 0.983,
  last_success_at: '2025-11-20T09:44:51.310Z',
  last_failure: {
    at: '2025-11-20T09:12:07.048Z',
    code: 'DELIVERY_FAILED',
    message: 'The worker answered 503.',
  },
};

export const listedChunkText = { ...chunkTextItself, deliveries: null };

export const chunkText = { ...chunkTextItself, config: { size: 512, overlap: 64 } };

/** The body that registers a plugin with an HTTP worker. */
export const newOcr = {
  id: 'ocr',
  name: 'Optical character recognition',
  description: 'Reads the text of scans.',
  version: '1.2.0',
  kind: 'http',
  endpoint: 'https://ocr.example.com/steps',
  config: { language: 'en' },
  config_schema: { type: 'object', properties: { language: { type: 'string', default: 'en' } } },
  produces: ['text'],
  reads: [],
  heartbeat_seconds: 60,
};

/** The body that registers the same plugin with a Temporal worker. */
export const newOcrWorker = {
  name: 'Optical character recognition',
  description: 'Reads the text of scans.',
  version: '1.2.0',
  kind: 'activity',
  task_queue: 'ocr',
  activity_type: 'recogniseText',
  produces: ['text'],
  reads: [],
  heartbeat_seconds: 60,
};

const unless = {
  task_queue: null,
  activity_type: null,
  endpoint: null,
  config_schema: null,
  cleanup_activity_type: null,
  is_active: true,
  built_in: false,
  created_at: '2025-11-20T08:45:10.000Z',
  updated_at: '2025-11-20T08:45:10.000Z',
  last_seen_at: null,
};

/** The http plugin. */
export const ocr = { ...unless, ...newOcr };

/** The http plugin in a list. */
export const listedOcr = (({ config: _, ...listed }) => ({ ...listed, deliveries: ocrDeliveries }))(ocr);

/** The response to its first registration, with its secret. */
export const registeredOcr = {
  ...ocr,
  config_warnings: [],
  signing_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDr1vGMmZK3TE=',
};

/** The response to the registration of its Temporal worker. */
export const registeredOcrWorker = {
  ...unless,
  ...newOcrWorker,
  id: 'ocr',
  config: {},
  last_seen_at: '2025-11-20T08:45:10.000Z',
  config_warnings: [],
};
