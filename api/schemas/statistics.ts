import { statistics } from '../examples/statistics.js';
import { timestamp } from './common.js';
import { typed } from './typed.js';

const count = { type: 'integer', minimum: 0 } as const;
const seconds = { type: ['number', 'null'], minimum: 0 } as const;

/** The time that statistics are asked of. */
export const statisticsQuery = typed({
  type: 'object',
  additionalProperties: false,
  properties: {
    hours: {
      type: 'integer',
      minimum: 1,
      maximum: 720,
      default: 24,
      description: 'The time up to now, in hours; it begins with a whole bucket.',
      examples: [24],
    },
  },
});

/** What there is, and what became of it lately. */
export const statisticsSchema = {
  type: 'object',
  required: ['at', 'resources', 'bucket_seconds', 'buckets', 'plugins'],
  additionalProperties: false,
  properties: {
    at: { ...timestamp, description: 'When it was counted: it may be some seconds old.' },
    resources: {
      title: 'ResourceCounts',
      type: 'object',
      required: ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'],
      additionalProperties: false,
      description: 'How many resources are in each status.',
      properties: {
        PENDING: { ...count, description: 'Without a pipeline.' },
        PROCESSING: { ...count, description: 'With an active run.' },
        COMPLETED: { ...count, description: 'Whose newest run made it to the end.' },
        FAILED: { ...count, description: 'Whose newest run failed.' },
        CANCELLED: { ...count, description: 'Whose newest run was stopped.' },
      },
    },
    bucket_seconds: {
      type: 'integer',
      enum: [300, 900, 3600, 21600, 86400],
      description: 'How long a bucket is; it follows from the time asked of.',
    },
    buckets: {
      type: 'array',
      maxItems: 60,
      description: 'Oldest first, without a gap; the last one is not over yet.',
      items: {
        title: 'StatisticsBucket',
        type: 'object',
        required: ['at', 'registered', 'completed', 'failed', 'cancelled'],
        additionalProperties: false,
        properties: {
          at: { ...timestamp, description: 'When it begins.' },
          registered: { ...count, description: 'Resources registered; those deleted since are missing.' },
          completed: { ...count, description: 'Runs that ended so.' },
          failed: { ...count, description: 'Runs that ended so.' },
          cancelled: { ...count, description: 'Runs that ended so.' },
        },
      },
    },
    plugins: {
      type: 'array',
      description: 'Of plugins whose steps ended within the buckets, the busiest first.',
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
          failed: { ...count, description: 'Steps that failed for good.' },
          attempts: { ...count, description: 'Attempts that these steps took.' },
          median_seconds: {
            ...seconds,
            description: 'Of the steps that completed, from the beginning to the end, pauses included.',
          },
          p95_seconds: { ...seconds, description: '95 % of them took no longer.' },
          median_queue_seconds: {
            ...seconds,
            description: 'Of the same steps, how long they waited for a worker before their first attempt.',
          },
          p95_queue_seconds: { ...seconds, description: '95 % of them waited no longer.' },
          median_run_seconds: {
            ...seconds,
            description:
              'Of the same steps, how long workers were at them. Null where no worker claims its attempts.',
          },
          p95_run_seconds: { ...seconds, description: 'For 95 % of them it was no longer.' },
        },
      },
    },
  },
  examples: [statistics],
} as const;
