import type { Client } from '@temporalio/client';
import { uuidv7 } from '../../../core/ids.js';
import { connectTemporal } from '../../../runtime/temporal/connection.js';
import { startApi, type Answer, type TestApi } from './api.js';
import { eventually } from '../eventually.js';
import { createGates, type Gates } from '../network/gates.js';
import { proxyTo, type Proxy } from '../network/proxy.js';
import { startService, type Service } from './service.js';
import { startTemporal } from '../servers/temporal.js';
import { temporaryFolder } from '../temporary.js';

/**
 * An API with its own database and Temporal namespace, and one worker process at a time, so that everything in it is
 * the work of that worker.
 */
export interface Lane {
  readonly api: TestApi;
  readonly gates: Gates;
  /** The proxy between the worker and Temporal. */
  readonly proxy: Proxy;
  readonly client: Client;
  /** Calls the API like `api.call`, with an Idempotency-Key. Retries as long as the response asks for it. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  startWorker(): Promise<void>;
  killWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a lane without a worker. */
export async function startLane(): Promise<Lane> {
  const { config, env } = await startTemporal();
  const temporal = await connectTemporal(config);
  const [proxy, KW_OBJECT_DIR] = [await proxyTo(config.address), temporaryFolder()];
  const shared = { ...env, KW_OBJECT_DIR, KW_PLUGIN_HOSTS: '127.0.0.1' };
  const api = await startApi({ workflows: null, env: shared });
  const gates = await createGates(api.deps.config.databaseUrl);
  let worker: Promise<Service> | null = null;
  /** Also kills a worker that is still starting. */
  const killWorker = async (): Promise<void> => {
    const killed = await worker?.catch(() => null);
    worker = null;
    await killed?.kill9();
  };
  return {
    api,
    gates,
    proxy,
    client: temporal.client,
    async ask(method, path, body) {
      const headers = { 'idempotency-key': uuidv7() };
      return await eventually(async () => {
        const answer = await api.call(method, path, body, { headers });
        return !answer.headers.has('retry-after') && answer;
      });
    },
    async startWorker() {
      worker = startService('worker', {
        DATABASE_URL: api.deps.config.databaseUrl,
        ...shared,
        TEMPORAL_ADDRESS: proxy.address,
        KW_SECRET: 'a-secret-of-the-tests-alone',
        KW_PUBLIC_URL: api.base,
      });
      await worker;
    },
    killWorker,
    async stop() {
      await killWorker();
      await Promise.all([gates.stop(), proxy.stop(), temporal.close()]);
      await api.stop();
    },
  };
}
