import type { ErrorCode } from '../../core/errors.js';
import { defineRoute, type Route } from '../route.js';
import { healthSchema, notReadySchema, readySchema } from '../schemas/health.js';

const tag = 'Operations';

const live = defineRoute({
  method: 'GET',
  path: '/health/live',
  atRoot: true,
  operationId: 'checkLiveness',
  summary: 'Check that the process runs',
  description:
    'For a supervisor that restarts the process. It does not check other components, because a restart would not help when the database is down.',
  tag,
  scope: 'open',
  responses: { 200: { description: 'The process runs.', schema: healthSchema } },
  handler: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
});

const unavailable = {
  postgresql: 'DATABASE_UNAVAILABLE',
  temporal: 'TEMPORAL_UNAVAILABLE',
  object_store: 'STORAGE_UNAVAILABLE',
} as const satisfies Record<string, ErrorCode>;
const partNames = Object.keys(unavailable) as (keyof typeof unavailable)[];

const ready = defineRoute({
  method: 'GET',
  path: '/health/ready',
  atRoot: true,
  operationId: 'checkReadiness',
  summary: 'Check that the service is ready',
  description:
    'For a load balancer. Each component has two seconds to answer, and its answer is kept for a second.',
  tag,
  scope: 'open',
  responses: {
    200: { description: 'The service is ready.', schema: readySchema },
    503: {
      description: 'A component is down (see `checks`), or the process is shutting down.',
      schema: notReadySchema,
    },
  },
  async handler({ deps }) {
    const checks = await deps.checkParts();
    const failed = partNames.filter((name) => checks[name].status === 'error');
    const code = deps.leaving.aborted ? 'SHUTTING_DOWN' : failed[0] && unavailable[failed[0]];
    if (code === undefined) return { status: 200, body: { status: 'ok', checks } };
    const message = deps.leaving.aborted
      ? 'Not ready: the process is about to stop.'
      : `Not ready: ${failed.join(', ')}.`;
    const body = { status: 'error', checks, error: { code, message, details: {} } };
    return { status: 503, headers: { 'Retry-After': '5' }, body };
  },
});

export const healthRoutes: readonly Route[] = [live, ready];
