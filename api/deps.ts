import type { CheckParts } from '../runtime/check-parts.js';
import type { Deps } from '../runtime/deps.js';
import type { ConfigChecks } from './config-schema/index.js';
import type { EventStreams } from './events/event-streams.js';
import type { OpenStreams } from './events/open-streams.js';
import type { JsonThread } from './json-thread/index.js';
import type { LiveSteps } from './lookups/live-steps.js';
import type { Metrics } from './server/metrics.js';
import type { RateLimits } from './auth/rate-limits.js';
import type { Reads } from './lookups/reads.js';
import type { Docs } from './pages/docs/index.js';
import type { ReadStatistics } from './lookups/statistics.js';
import type { ReadSystem } from './lookups/system.js';
import type { SearchParts } from './search/parts.js';
import type { OpenApiDocument } from './openapi/types.js';

/** The dependencies of handlers: those of the process plus those of the API. */
export interface ApiDeps extends Deps {
  readonly checkParts: CheckParts;
  readonly configChecks: ConfigChecks;
  readonly eventStreams: EventStreams;
  readonly openStreams: OpenStreams;
  readonly jsonThread: JsonThread;
  readonly liveSteps: LiveSteps;
  readonly metrics: Metrics;
  readonly rateLimits: RateLimits;
  readonly reads: Reads;
  readonly search: SearchParts;
  readonly statistics: ReadStatistics;
  readonly system: ReadSystem;
  /** Renders the OpenAPI document when it is first asked for. */
  readonly document: () => OpenApiDocument;
  readonly docs: Docs;
  /** Aborted when the process is about to stop. It still serves, but new requests should go elsewhere. */
  readonly leaving: AbortSignal;
}
