import koaCors from '@koa/cors';
import type { Middleware } from 'koa';

/**
 * Lets pages of these origins call the API, with an API key only: cookies of other origins are ignored. `*`
 * allows all. With no origins, no header is sent and browsers block other origins.
 */
export function cors(origins: readonly string[]): Middleware | null {
  if (origins.length === 0) return null;
  return koaCors({
    origin: (ctx) =>
      origins.includes('*') ? '*' : (origins.find((origin) => origin === ctx.get('origin')) ?? ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'If-Range',
      'Last-Event-ID',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Range',
      'X-Request-Id',
    ],
    exposeHeaders: [
      'Content-Disposition',
      'Content-Range',
      'ETag',
      'Idempotent-Replayed',
      'Location',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
    credentials: false,
    // Errors are ordinary responses here.
    keepHeadersOnError: false,
  });
}
