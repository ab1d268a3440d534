import { statisticsQuery, statisticsSchema } from '../schemas/statistics.js';
import { defineRoute, type Route } from '../route.js';

const tag = 'Operations';

const metrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  atRoot: true,
  operationId: 'getMetrics',
  summary: 'Metrics for Prometheus',
  tag,
  scope: 'read',
  withoutDatabase: true,
  description:
    'The metrics of this process. With several processes, scrape each one. While the database is unavailable, a key that this process accepted here within the last hour still gets the metrics, except those from the database.',
  responses: {
    200: {
      description: 'The text exposition format.',
      mediaType: 'text/plain',
      examples: {
        'One metric':
          '# HELP kw_http_request_duration_seconds Time from a request to the end of its response.\n# TYPE kw_http_request_duration_seconds histogram\nkw_http_request_duration_seconds_count{method="POST",route="/api/v1/resources",status="201"} 1',
      },
    },
  },
  async handler({ deps }) {
    const { text, mediaType } = await deps.metrics.render();
    return { status: 200, body: text, type: mediaType };
  },
});

const statistics = defineRoute({
  method: 'GET',
  path: '/statistics',
  operationId: 'getStatistics',
  summary: 'Get counts of resources and recent results',
  description:
    'Results are cached for a few seconds, or for ten times the duration of their query if that is longer.',
  tag,
  scope: 'read',
  query: statisticsQuery,
  responses: { 200: { description: 'Counts and durations.', schema: statisticsSchema } },
  handler: async ({ deps, query }) => ({ status: 200, body: await deps.statistics(query.hours ?? 24) }),
});

const document = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'getOpenApiDocument',
  summary: 'Get this document',
  tag,
  scope: 'open',
  description: 'For client generators and API tools. `/docs` shows it as a page.',
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      schema: { type: 'object' },
      examples: {
        'The beginning': { openapi: '3.1.0', info: { title: 'Knowledge Warehouse', version: '1.0.0' } },
      },
    },
  },
  handler: ({ deps }) => Promise.resolve({ status: 200, body: deps.document() }),
});

export const operationRoutes: readonly Route[] = [metrics, statistics, document];
