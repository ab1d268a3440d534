import { messageOf, ServiceError, type ErrorCode } from '../../core/errors.js';
import { checkDatabase } from '../../storage/database/connection.js';
import type { ApiDeps } from '../deps.js';
import { defineRoute, type Route } from '../route.js';
import { healthSchema, notReadySchema, readySchema } from '../schemas/health.js';
import { withTimeLimit } from '../lookups/time-limit.js';

const tag = 'Operations';
const patienceMs = 2_000;

const live = defineRoute({
  method: 'GET',
  path: '/health/live',
  atRoot: true,
  operationId: 'checkLiveness',
  summary: 'Check that the process runs',
  description:
    'For a supervisor that restarts the process. It checks nothing else: a restart does not help when the database is down.',
  tag,
  scope: 'open',
  responses: { 200: { description: 'It does.', schema: healthSchema } },
  handler: () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
});

const ready = defineRoute({
  method: 'GET',
  path: '/health/ready',
  atRoot: true,
  operationId: 'checkReadiness',
  summary: 'Check that the service is ready',
  description: 'For a load balancer. Each part has two seconds to answer.',
  tag,
  scope: 'open',
  responses: {
    200: { description: 'It does.', schema: readySchema },
    503: {
      description: 'A part is down, which `checks` names, or the process is shutting down.',
      schema: notReadySchema,
    },
  },
  async handler({ deps }) {
    const { db, objectStore, workflows } = deps;
    const [postgresql, temporal, object_store] = await Promise.all([
      check(deps, 'DATABASE_UNAVAILABLE', () => deps.secretGuard.ensure().then(() => checkDatabase(db))),
      check(deps, 'TEMPORAL_UNAVAILABLE', () => workflows.check()),
      check(deps, 'STORAGE_UNAVAILABLE', () => objectStore.check()),
    ]);
    const checks = {
      postgresql: postgresql.shown,
      temporal: temporal.shown,
      object_store: object_store.shown,
    };
    const code = deps.leaving.aborted
      ? 'SHUTTING_DOWN'
      : (postgresql.code ?? temporal.code ?? object_store.code);
    if (code === null) return { status: 200, body: { status: 'ok', checks } };
    const failed = Object.entries(checks).filter(([, shown]) => shown.status === 'error');
    const message = deps.leaving.aborted
      ? 'Not ready: the process is about to stop.'
      : `Not ready: ${failed.map(([name]) => name).join(', ')}.`;
    const body = { status: 'error', checks, error: { code, message, details: {} } };
    return { status: 503, headers: { 'Retry-After': '5' }, body };
  },
});

interface Checked {
  readonly shown: { readonly status: 'ok' } | { readonly status: 'error'; readonly message: string };
  readonly code: ErrorCode | null;
}

async function check({ log }: ApiDeps, code: ErrorCode, work: () => Promise<void>): Promise<Checked> {
  try {
    await withTimeLimit(patienceMs, work());
    return { shown: { status: 'ok' }, code: null };
  } catch (err) {
    log.debug({ err }, 'not ready');
    // The reasons of others may name hosts and users; the log has them.
    const message =
      err instanceof ServiceError
        ? err.message
        : messageOf(err) === 'late'
          ? 'It does not answer in time.'
          : 'It cannot be used.';
    return { shown: { status: 'error', message }, code };
  }
}

export const healthRoutes: readonly Route[] = [live, ready];
