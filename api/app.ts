import Koa from 'koa';
import { basePathOf } from '../core/base-path.js';
import { ServiceError } from '../core/errors.js';
import { createCheckParts } from '../runtime/check-parts.js';
import type { Deps } from '../runtime/deps.js';
import { isUnreadable } from '../storage/object-store/unreadable.js';
import { createConfigChecks } from './config-schema/index.js';
import type { ApiDeps } from './deps.js';
import { createEventStreams } from './events/event-streams.js';
import { createOpenStreams } from './events/open-streams.js';
import { createJsonThread } from './json-thread/index.js';
import { liveStepsOf } from './lookups/wait-sweep.js';
import { mcpRoutes } from './mcp/route.js';
import { createMetrics } from './server/metrics.js';
import { renderErrors } from './middleware/errors.js';
import { requestId, type ApiState } from './middleware/request-id.js';
import { accessLog } from './middleware/access-log.js';
import { closeConnections } from './middleware/close-connections.js';
import { cors } from './middleware/cors.js';
import { noteClient } from './middleware/note-client.js';
import { securityHeaders } from './middleware/security-headers.js';
import { serveWeb } from './middleware/serve-web.js';
import { stripBasePath } from './middleware/strip-base-path.js';
import { traceRequests } from './middleware/trace-requests.js';
import { buildDocument } from './openapi/document.js';
import { createDocs } from './pages/docs/index.js';
import { createRateLimits } from './auth/rate-limits.js';
import { createReads } from './lookups/reads.js';
import { dispatch } from './router.js';
import { routes } from './routes/index.js';
import { createSearchParts } from './search/parts.js';
import { createStatistics } from './lookups/statistics.js';
import { createSystem } from './lookups/system.js';

export interface AppOptions {
  /** The output folder of the web build; null: API only. */
  readonly webFolder?: string | null;
  /** Once aborted, the application reports not ready and makes clients reconnect elsewhere. */
  readonly leaving?: AbortSignal;
}

/** Creates the HTTP application. Requests pass this middleware in order. */
export function createApp(
  processDeps: Deps,
  { webFolder = null, leaving = new AbortController().signal }: AppOptions = {},
): Koa<ApiState> {
  const metrics = createMetrics(processDeps);
  const openStreams = createOpenStreams({ ...processDeps, metrics });
  const checkParts = createCheckParts(processDeps);
  const deps: ApiDeps = {
    ...processDeps,
    checkParts,
    configChecks: createConfigChecks(),
    eventStreams: createEventStreams({ ...processDeps, metrics, openStreams }),
    openStreams,
    jsonThread: createJsonThread(),
    liveSteps: liveStepsOf(processDeps),
    metrics,
    rateLimits: createRateLimits(processDeps.config.rateLimit),
    reads: createReads(processDeps.db),
    search: createSearchParts(processDeps),
    statistics: createStatistics(processDeps.db),
    system: createSystem({ ...processDeps, checkParts }),
    document: () => buildDocument(routes, processDeps.config.publicUrl),
    docs: createDocs(),
    leaving,
  };
  const app = new Koa<ApiState>();
  app.use(requestId(deps.logFields));
  const stripped = stripBasePath(deps.config.publicUrl);
  if (stripped !== null) app.use(stripped);
  app.use(noteClient(deps.config.trustedProxies));
  if (deps.tracing !== null) app.use(traceRequests(deps.logFields));
  app.use(accessLog(deps.log, deps.metrics));
  app.use(closeConnections(leaving));
  app.use(securityHeaders(deps.config));
  const crossOrigin = cors(deps.config.corsOrigins);
  if (crossOrigin !== null) app.use(crossOrigin);
  app.use(renderErrors(deps.log));
  app.use(serveWeb(webFolder, basePathOf(deps.config.publicUrl)));
  app.use(dispatch(deps, [...routes, ...mcpRoutes]));
  // Errors after a response has begun, mostly because the client disconnected.
  app.on('error', (err: unknown) => {
    if (isUnreadable(err)) deps.log.error({ err }, 'a response was cut off: its content is damaged');
    else if (err instanceof ServiceError)
      deps.log.warn({ err }, 'a response was cut off: its content cannot be read');
    else deps.log.debug({ err }, 'a response was cut off');
  });
  return app;
}
