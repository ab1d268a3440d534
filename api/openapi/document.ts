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
    description: 'Files and URLs, their runs, and the artifacts that the runs make.',
  },
  { name: 'Search', description: 'Search the contents of resources by words and by meaning.' },
  {
    name: 'Bulk operations',
    description: 'Actions on many resources at once, and failures by cause.',
  },
  { name: 'Pipelines', description: 'The plugins that process resources of a type, and their order.' },
  {
    name: 'Plugins',
    description: 'The programs that run steps: activities of Temporal workers, and HTTP endpoints.',
  },
  { name: 'Workers', description: 'Operations for the workers of plugins.' },
  { name: 'Events', description: 'Changes as they happen, as Server-Sent Events.' },
  { name: 'Session', description: 'Browser sessions.' },
  { name: 'Access', description: 'API keys, and who changed what.' },
  { name: 'Operations', description: 'Health, metrics, and this document.' },
  { name: 'Pages', description: 'For browsers.' },
] as const;

const description = `Turns files and URLs into knowledge: every resource goes through a pipeline of plugins, which make artifacts.

Errors have one form, \`{"error": {"code", "message", "details"}}\`. Times are ISO 8601 in UTC. Lists are paged: pass \`next_cursor\` as \`cursor\` to get the next page. Every GET operation also supports HEAD. Every response has an \`X-Request-Id\`, except to requests that cannot be read as HTTP (408, 414, 417, 431 and some 400). Send an \`Idempotency-Key\` to repeat a request safely, and \`If-Match\` to change only the version you have read. If a key has a rate limit, \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) describe it; above the limit, the response is 429 with \`Retry-After\`. Fields are added over time: ignore those you do not know.

Language models use the Model Context Protocol at \`/mcp\`, which describes itself and is not part of this document.`;

type Rendered = Pick<OpenApiDocument, 'paths'> & { readonly responses: object; readonly schemas: object };

/** Rendering takes 0.1 s, and the result is the same for every application in a process. */
const rendered = new WeakMap<readonly Route[], Rendered>();

function render(routes: readonly Route[]): Rendered {
  const schemas = createSchemaRenderer();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = (paths[fullPath(route).replace(/:(\w+)/g, '{$1}')] ??= {});
    path[route.method.toLowerCase()] = toOperation(route, schemas);
  }
  // The components come last: they are those that the others use.
  return { paths, responses: renderRefusals(schemas), schemas: schemas.components() };
}

/** Builds the OpenAPI 3.1 document of the routes. `base` is the URL of the service, without a trailing slash. */
export function buildDocument(routes: readonly Route[], base: string): OpenApiDocument {
  const known = rendered.get(routes) ?? render(routes);
  rendered.set(routes, known);
  const { paths, responses, schemas } = known;
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
      responses,
      schemas,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, kw_….' },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(base.startsWith('https:'), base),
          description:
            'The cookie of a session. Methods other than GET and HEAD also need the `Origin` of the service.',
        },
        callbackToken: { type: 'http', scheme: 'bearer', description: 'The token of an attempt, kwt_….' },
      },
    },
  };
}
