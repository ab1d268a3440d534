/** A service on one machine whose plugin `ocr` has no worker. */
export const system = {
  at: '2025-11-20T09:45:12.004Z',
  versions: { service: '0.1.0', node: '22.21.1', postgresql: '16.4', temporal: '1.29.1' },
  addresses: {
    public_url: 'http://127.0.0.1:8080',
    database: '127.0.0.1:5432/knowledge_warehouse',
    temporal: '127.0.0.1:7233',
    temporal_namespace: 'default',
    temporal_ui: 'http://127.0.0.1:8233',
    object_store: '/srv/kw/objects',
    search_index: 'lancedb:/srv/kw/search',
    data_dir: '/srv/kw',
  },
  checks: { postgresql: { status: 'ok' }, temporal: { status: 'ok' }, object_store: { status: 'ok' } },
  queues: [
    {
      task_queue: 'kw-core',
      built_in: true,
      plugins: [{ plugin_id: 'extract-text', is_active: true }],
      pollers: 2,
      last_polled_at: '2025-11-20T09:45:02.117Z',
    },
    {
      task_queue: 'ocr',
      built_in: false,
      plugins: [{ plugin_id: 'ocr', is_active: true }],
      pollers: 0,
      last_polled_at: null,
    },
  ],
  waits: [{ plugin_id: 'ocr', kind: 'worker', count: 20, oldest_since: '2025-11-20T08:12:40.000Z' }],
  clean_ups: [
    {
      plugin_id: 'register-vectors',
      count: 3,
      oldest_at: '2025-11-20T07:30:00.000Z',
      last_error: 'The vector store cannot be reached.',
    },
  ],
  database_bytes: 184_549_376,
  disk: { free_bytes: 52_613_349_376, total_bytes: 105_226_698_752 },
};
