import { createObjectStore, type ObjectStore } from '../../storage/object-store/index.js';
import { startHttpWorker } from '../support/workers/http-worker.js';
import { proxyTo, type Proxy } from '../support/network/proxy.js';
import { startProxiedStack } from '../support/service/proxied-stack.js';
import { s3Settings, startS3 } from '../support/servers/s3.js';
import { startStack, type TestStack } from '../support/service/stack.js';
import { inspectable } from './heap.js';
import { serveSteps, setUpPipelines } from './pipelines.js';

/** What faults happen to. */
export const parts = ['api', 'worker', 'postgres', 'temporal', 'store'] as const;
export type Part = (typeof parts)[number];

/** A whole service, each part of it behind a network that can be taken away. */
export interface SoakStack {
  /** As clients reach it; its PostgreSQL and Temporal as they are reached past their networks. */
  readonly stack: TestStack;
  /** Before each part; before the worker of Core: between it and the plugins' worker. */
  readonly networks: Readonly<Record<Part, Proxy>>;
  /** The object store, past its network. */
  readonly store: ObjectStore;
  /** What the supervisors printed so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/**
 * Starts two services: one whose supervisor keeps PostgreSQL and Temporal running, with stubs for API and worker, and one
 * whose supervisor keeps API and worker running, which reach those and an S3 server through proxies.
 */
export async function startParts(seed: number): Promise<SoakStack> {
  const [servers, s3, plugins] = await Promise.all([
    startStack({ services: 'stubs' }),
    startS3(),
    startHttpWorker(),
  ]);
  const { database_url, temporal_address, temporal_namespace } = servers.stack();
  const [postgres, temporal, store, worker] = (await Promise.all(
    [database_url, temporal_address, s3.endpoint, plugins.endpoint].map(proxyTo),
  )) as [Proxy, Proxy, Proxy, Proxy];
  const service = await startProxiedStack({
    env: {
      DATABASE_URL: behind(postgres, database_url),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal_namespace,
      ...s3Settings(s3, behind(store, s3.endpoint)),
      KW_SECRET: 'a-secret-of-the-soak-alone',
      KW_LOG_LEVEL: 'warn',
      NODE_OPTIONS: inspectable,
    },
  });
  serveSteps(plugins, seed);
  await setUpPipelines(service.front, behind(worker, plugins.endpoint));
  const direct = createObjectStore({ s3, directory: '' });
  return {
    stack: {
      ...service.stack,
      api: service.front.api,
      stack() {
        const [ours, theirs] = [service.stack.stack(), servers.stack()];
        const { postgres: ofPostgres, temporal: ofTemporal } = theirs.processes;
        return {
          ...ours,
          database_url: theirs.database_url,
          temporal_address: theirs.temporal_address,
          processes: { ...ours.processes, postgres: ofPostgres!, temporal: ofTemporal! },
        };
      },
    },
    networks: { api: service.proxy, worker, postgres, temporal, store },
    store: direct,
    output: () => servers.output() + service.stack.output(),
    async stop() {
      direct.close();
      await service.stop();
      await servers.stop();
      await Promise.all([s3.stop(), plugins.stop()]);
      await Promise.all([postgres, temporal, store, worker].map((proxy) => proxy.stop()));
    },
  };
}

/** A URL whose host is a proxy. */
function behind(proxy: Proxy, target: string): string {
  const url = new URL(target);
  url.host = proxy.address;
  return url.href.replace(/\/$/, '');
}
