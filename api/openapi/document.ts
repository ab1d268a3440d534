import { fullPath, type Route } from '../route.js';
import { sessionCookieName } from '../auth/session-cookie.js';
import { toOperation } from './operation.js';
import { renderRefusals } from './refusals.js';
import { createSchemaRenderer } from './schema-renderer.js';
import type { OpenApiDocument } from './types.js';
import { version } from './version.js';

const tags = [
  {
    name: 'Resources',
    description: 'Files and URLs, what becomes of them, and the artifacts that come out.',
  },
  { name: 'Search', description: 'What is in resources, by words and by meaning.' },
  {
    name: 'Bulk operations',
    description: 'What is done to many resources at once, and what failed, by cause.',
  },
  { name: 'Pipelines', description: 'Which plugins process resources of a type, in which order.' },
  { name: 'Plugins', description: 'What can be a step: activities of Temporal workers, and HTTP endpoints.' },
  { name: 'Workers', description: 'What the workers of plugins call.' },
  { name: 'Events', description: 'What changes, as it changes: Server-Sent Events.' },
  { name: 'Session', description: 'Browsers that are logged in.' },
  { name: 'Access', description: 'API keys, and who changed what.' },
  { name: 'Operations', description: 'Health, metrics, and this document.' },
  { name: 'Pages', description: 'For browsers.' },
] as const;

const description = `Turns files and URLs into knowledge: every resource runs through a pipeline of plugins, which make artifacts.

Errors have one form, \`{"error": {"code", "message", "details"}}\`. Times are ISO 8601 in UTC. Lists are paged: pass \`next_cursor\` as \`cursor\` to get the next page. Every GET also answers HEAD. Every answer has an \`X-Request-Id\`, except to requests that cannot be read as HTTP (408, 414, 417, 431 and some 400). Send an \`Idempotency-Key\` to repeat a request safely, and \`If-Match\` to change only the version you have read. Where requests of a key are limited, \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) give the limit; beyond it the answer is 429 with \`Retry-After\`. Fields are added over time: ignore those you do not know.

Language models use the Model Context Protocol at \`/mcp\`, which describes itself and is not part of this document.`;

/** The OpenAPI 3.1 document of the routes. `base`: where the service is reached, without a slash at its end. */
export function buildDocument(routes: readonly Route[], base: string): OpenApiDocument {
  const schemas = createSchemaRenderer();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = (paths[fullPath(route).replace(/:(\w+)/g, '{$1}')] ??= {});
    path[route.method.toLowerCase()] = toOperation(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledge Warehouse',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base }],
    tags,
    paths,
    components: {
      responses: renderRefusals(schemas),
      schemas: schemas.components(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, kw_….' },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(base.startsWith('https:'), base),
          description:
            'The cookie of a session. Methods other than GET and HEAD need an `Origin` of our own beside it.',
        },
        callbackToken: { type: 'http', scheme: 'bearer', description: 'The token of an attempt, kwt_….' },
      },
    },
  };
}
