import { statistics } from '../examples/statistics.js';
import { count, objectOf, text, timestamp } from './common.js';
import { typed } from './typed.js';

const seconds = { type: ['number', 'null'], minimum: 0 } as const;

export const statisticsQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    hours: {
      type: 'integer',
      minimum: 1,
      maximum: 720,
      default: 24,
      description: 'The period up to now, in hours; it begins with a whole bucket.',
      examples: [24],
    },
  },
});

export const statisticsSchema = {
  ...objectOf({
    at: { ...timestamp, description: 'When the counts were taken; they may be a few seconds old.' },
    resources: {
      title: 'ResourceCounts',
      description: 'The number of resources in each status.',
      ...objectOf({
        PENDING: count('Resources without a pipeline.'),
        PROCESSING: count('Resources with an active run.'),
        COMPLETED: count('Resources whose newest run completed.'),
        FAILED: count('Resources whose newest run failed.'),
        CANCELLED: count('Resources whose newest run was cancelled.'),
      }),
    },
    bucket_seconds: {
      type: 'integer',
      enum: [300, 900, 3600, 21600, 86400],
      description: 'The length of a bucket, which depends on the requested period.',
    },
    buckets: {
      type: 'array',
      maxItems: 60,
      description: 'The buckets, oldest first, without a gap; the last one is still open.',
      items: {
        title: 'StatisticsBucket',
        ...objectOf({
          at: { ...timestamp, description: 'When the bucket begins.' },
          registered: count('Resources registered, except those deleted since.'),
          completed: count('Runs that ended as COMPLETED.'),
          failed: count('Runs that ended as FAILED.'),
          cancelled: count('Runs that ended as CANCELLED.'),
        }),
      },
    },
    plugins: {
      type: 'array',
      description: 'Plugins whose steps ended within the period, busiest first.',
      items: {
        title: 'PluginStatistics',
        ...objectOf({
          plugin_id: text('The plugin.', 'extract-text'),
          completed: count('Steps that completed.'),
          failed: count('Steps that failed permanently.'),
          attempts: count('Attempts that these steps took.'),
          median_seconds: {
            ...seconds,
            description: 'The median duration of completed steps, including pauses.',
          },
          p95_seconds: { ...seconds, description: 'The 95th percentile of their durations.' },
          median_queue_seconds: {
            ...seconds,
            description: 'The median wait of these steps for a worker, before their first attempt.',
          },
          p95_queue_seconds: { ...seconds, description: 'The 95th percentile of these waits.' },
          median_run_seconds: {
            ...seconds,
            description:
              'The median time that workers spent on these steps. Null if no worker claims its attempts.',
          },
          p95_run_seconds: { ...seconds, description: 'The 95th percentile of that time.' },
        }),
      },
    },
  }),
  examples: [statistics],
} as const;
