/** Statistics of a day on which an archive was imported. */
export const statistics = {
  at: '2025-11-20T09:45:12.004Z',
  resources: { PENDING: 2, PROCESSING: 14, COMPLETED: 4180, FAILED: 23, CANCELLED: 1 },
  bucket_seconds: 3600,
  buckets: [
    { at: '2025-11-20T08:00:00.000Z', registered: 310, completed: 302, failed: 3, cancelled: 0 },
    { at: '2025-11-20T09:00:00.000Z', registered: 221, completed: 214, failed: 1, cancelled: 1 },
  ],
  plugins: [
    {
      plugin_id: 'extract-text',
      completed: 516,
      failed: 4,
      attempts: 531,
      median_seconds: 1.8,
      p95_seconds: 9.2,
      median_queue_seconds: 0.1,
      p95_queue_seconds: 2.4,
      median_run_seconds: 1.6,
      p95_run_seconds: 6.9,
    },
  ],
};
