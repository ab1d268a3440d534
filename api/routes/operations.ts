import { defineRoute, type Route } from '../route.js';

const tag = 'Operations';

const metrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  atRoot: true,
  operationId: 'readMetrics',
  summary: 'Metrics for Prometheus',
  tag,
  scope: 'read',
  responses: { 200: { description: 'The text exposition format.', mediaType: 'text/plain' } },
  async handler({ deps }) {
    const { text, mediaType } = await deps.metrics.render();
    return { status: 200, body: text, type: mediaType };
  },
});

const document = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'getOpenApiDocument',
  summary: 'This document',
  tag,
  scope: 'open',
  responses: { 200: { description: 'An OpenAPI 3.1 document.', schema: { type: 'object' } } },
  handler: ({ deps }) => Promise.resolve({ status: 200, body: deps.document }),
});

export const operationRoutes: readonly Route[] = [metrics, document];
