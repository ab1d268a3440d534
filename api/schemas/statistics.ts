import { statistics } from '../examples/statistics.js';
import { timestamp } from './common.js';
import { typed } from './typed.js';

const count = { type: 'integer', minimum: 0 } as const;
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
  type: 'object',
  required: ['at', 'resources', 'bucket_seconds', 'buckets', 'plugins'],
  additionalProperties: false,
  properties: {
    at: { ...timestamp, description: 'When the counts were taken; they may be a few seconds old.' },
    resources: {
      title: 'ResourceCounts',
      type: 'object',
      required: ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'],
      additionalProperties: false,
      description: 'The number of resources in each status.',
      properties: {
        PENDING: { ...count, description: 'Resources without a pipeline.' },
        PROCESSING: { ...count, description: 'Resources with an active run.' },
        COMPLETED: { ...count, description: 'Resources whose newest run completed.' },
        FAILED: { ...count, description: 'Resources whose newest run failed.' },
        CANCELLED: { ...count, description: 'Resources whose newest run was cancelled.' },
      },
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
        type: 'object',
        required: ['at', 'registered', 'completed', 'failed', 'cancelled'],
        additionalProperties: false,
        properties: {
          at: { ...timestamp, description: 'When the bucket begins.' },
          registered: { ...count, description: 'Resources registered, except those deleted since.' },
          completed: { ...count, description: 'Runs that ended with this status.' },
          failed: { ...count, description: 'Runs that ended with this status.' },
          cancelled: { ...count, description: 'Runs that ended with this status.' },
        },
      },
    },
    plugins: {
      type: 'array',
      description: 'Plugins whose steps ended within the period, busiest first.',
      items: {
        title: 'PluginStatistics',
        type: 'object',
        required: [
          'plugin_id',
          'completed',
          'failed',
          'attempts',
          'median_seconds',
          'p95_seconds',
          'median_queue_seconds',
          'p95_queue_seconds',
          'median_run_seconds',
          'p95_run_seconds',
        ],
        additionalProperties: false,
        properties: {
          plugin_id: { type: 'string', description: 'The plugin.', examples: ['extract-text'] },
          completed: { ...count, description: 'Steps that completed.' },
          failed: { ...count, description: 'Steps that failed permanently.' },
          attempts: { ...count, description: 'Attempts that these steps took.' },
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
        },
      },
    },
  },
  examples: [statistics],
} as const;
