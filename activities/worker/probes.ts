import { createCheckParts, type CheckParts, type PartCheck } from '../../runtime/check-parts.js';
import type { Deps } from '../../runtime/deps.js';
import { metricsPage, servePages, type Page, type PageServer } from '../../runtime/metrics/server.js';
import { ConfigError } from '../../runtime/settings/config.js';
import { explainListenError } from '../../runtime/settings/listen-error.js';

/** The phase of a worker; it is ready while it accepts work. */
export type WorkerPhase = 'starting' | 'working' | 'stopping';

/** Serves a worker's probes and metrics at the configured addresses. Rejects with ConfigError on failure. */
export async function serveProbes(deps: Deps, phase: () => WorkerPhase): Promise<PageServer[]> {
  const { workerHealthAddress, workerMetricsAddress } = deps.config;
  const checkParts = createCheckParts(deps);
  const pages = new Map<string, { readonly setting: string; readonly pages: Record<string, Page> }>();
  const add = (setting: string, address: string | null, more: Record<string, Page>): void => {
    if (address !== null) pages.set(address, { setting, pages: { ...pages.get(address)?.pages, ...more } });
  };
  add('KW_WORKER_HEALTH_ADDRESS', workerHealthAddress, {
    '/health/live': () => Promise.resolve(json(200, { status: 'ok' })),
    '/health/ready': () => readiness(checkParts, phase()),
  });
  add('KW_WORKER_METRICS_ADDRESS', workerMetricsAddress, { '/metrics': metricsPage(deps.measured.registry) });
  return await Promise.all(
    [...pages].map(async ([address, { setting, pages: each }]) => {
      try {
        return await servePages(each, address, deps.log);
      } catch (error) {
        const reason = explainListenError(error, { host: setting, port: setting });
        throw reason === null ? error : new ConfigError([reason]);
      }
    }),
  );
}

async function readiness(checkParts: CheckParts, phase: WorkerPhase): ReturnType<Page> {
  const worker: PartCheck =
    phase === 'working' ? { status: 'ok' } : { status: 'error', message: `The worker is ${phase}.` };
  const checks = { ...(await checkParts()), worker };
  const isReady = Object.values(checks).every(({ status }) => status === 'ok');
  return json(isReady ? 200 : 503, { status: isReady ? 'ok' : 'error', checks });
}

function json(status: number, body: unknown): Awaited<ReturnType<Page>> {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` };
}
