import { replyWithSource } from '../reply/source.js';
import { defineRoute, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';

const headers = {
  ETag: 'The SHA-256 hash of the bytes, in hex.',
  'Content-Disposition':
    '`inline` for PDF, plain text and images other than SVG, otherwise `attachment`; with the name of the resource, shortened to 255 bytes of UTF-8.',
} as const;

const getSource = defineRoute({
  method: 'GET',
  path: '/resources/:id/source',
  operationId: 'getResourceSource',
  summary: 'Download the source of a resource',
  description:
    'The bytes as they were uploaded or last fetched. A `Range` of bytes and `If-Range` are supported. If a URL has not been fetched yet, the response is 409 RESOURCE_PROCESSING while its run is active, and 404 afterwards.',
  tag: 'Resources',
  scope: 'read',
  tagged: true,
  params: { id: uuidParam('resource') },
  responses: {
    200: {
      description: 'The bytes, with the media type of the source.',
      mediaType: '*/*',
      headers,
      examples: { 'The bytes of handbook.pdf': '%PDF-1.4\n…' },
    },
    206: {
      description: 'The requested range of the bytes.',
      mediaType: '*/*',
      headers,
      examples: { 'Range: bytes=0-7': '%PDF-1.4' },
    },
  },
  errors: ['RESOURCE_PROCESSING', 'RANGE_NOT_SATISFIABLE', 'SOURCE_UNREADABLE', 'STORAGE_UNAVAILABLE'],
  async handler({ koa, deps, params: { id } }) {
    return await replyWithSource(koa, deps, id);
  },
});

export const resourceSourceRoutes: readonly Route[] = [getSource];
