import { Client, Connection } from '@temporalio/client';
import { uuidv7 } from '../../core/ids.js';
import { startApi, type Answer, type TestApi } from './api.js';
import { eventually } from './eventually.js';
import { createGates, type Gates } from './gates.js';
import { proxyTo, type Proxy } from './proxy.js';
import { startService, type Service } from './service.js';
import { startTemporal } from './temporal.js';
import { temporaryFolder } from './temporary.js';

/**
 * An API with a database and a namespace of Temporal of its own, and one worker at a time, in a process of its own: what
 * happens here was done by that worker.
 */
export interface Lane {
  readonly api: TestApi;
  readonly gates: Gates;
  /** Between the worker and Temporal. */
  readonly proxy: Proxy;
  readonly client: Client;
  /** Calls the API as `api.call` does; again, under an Idempotency-Key, as long as it is told to come again. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  startWorker(): Promise<void>;
  killWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one, without a worker. */
export async function startLane(): Promise<Lane> {
  const { address } = (await startTemporal()).config;
  const namespace = `lane-${uuidv7()}`;
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: (24 * 3600) as never },
  });
  const [proxy, KW_OBJECT_DIR] = [await proxyTo(address), temporaryFolder()];
  const shared = { TEMPORAL_NAMESPACE: namespace, KW_OBJECT_DIR, KW_PLUGIN_HOSTS: '127.0.0.1' };
  const api = await startApi({ workflows: null, env: { TEMPORAL_ADDRESS: address, ...shared } });
  const gates = await createGates(api.deps.config.databaseUrl);
  // A namespace is known everywhere in the server only a moment after it was made.
  await eventually(() => api.deps.workflows.check().then(() => true), { timeoutMs: 30_000 });
  let worker: Promise<Service> | null = null;
  /** Also one that is still starting. */
  const killWorker = async (): Promise<void> => {
    const killed = await worker?.catch(() => null);
    worker = null;
    await killed?.kill9();
  };
  return {
    api,
    gates,
    proxy,
    client: new Client({ connection, namespace }),
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
        TEMPORAL_ADDRESS: proxy.address,
        KW_SECRET: 'a-secret-of-the-tests-alone',
        KW_PUBLIC_URL: api.base,
        ...shared,
      });
      await worker;
    },
    killWorker,
    async stop() {
      await killWorker();
      await Promise.all([gates.stop(), proxy.stop(), connection.close()]);
      await api.stop();
    },
  };
}
