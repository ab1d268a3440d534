import assert from 'node:assert/strict';
import { createApiKey } from '../../../storage/auth/api-keys.js';
import { startBalancer, type Balancer } from '../network/balancer.js';
import { eventually } from '../eventually.js';
import { startHttpWorker, type HttpWorker } from '../workers/http-worker.js';
import { reservePort } from '../servers/ports.js';
import { createDatabase, type TestDatabase } from '../servers/postgres.js';
import { createRestClient, type RestClient } from './rest-client.js';
import { startService, type Service } from './service.js';
import { startTemporal } from '../servers/temporal.js';
import { temporaryFolder } from '../temporary.js';

type Settings = Readonly<Record<string, string>>;

/** Two APIs behind a balancer, two workers, and the worker of an HTTP plugin "notes". */
export interface Fleet {
  readonly database: TestDatabase;
  readonly plugin: HttpWorker;
  readonly balancer: Balancer;
  readonly client: RestClient;
  readonly adminKey: string;
  /** The initial settings of all processes. */
  readonly env: Settings;
  /** The running processes, APIs first. */
  readonly services: readonly Service[];
  /** Starts one process with additional settings. */
  start(at: number, more?: Settings): Promise<Service>;
  /**
   * Replaces all processes one by one, with additional settings. Waits until the balancer sees a new API as ready.
   *
   * @param beforeStop Runs before each process is stopped.
   */
  roll(more?: Settings, beforeStop?: (at: number) => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const apis = 2;
const processes = [0, 1, 2, 3];

export async function startFleet(settings: Settings): Promise<Fleet> {
  const [temporal, database, plugin, ports] = await Promise.all([
    startTemporal(),
    createDatabase(),
    startHttpWorker(),
    Promise.all([reservePort(), reservePort()]),
  ]);
  const balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`));
  const env: Settings = {
    DATABASE_URL: database.url,
    ...temporal.env,
    KW_OBJECT_DIR: temporaryFolder(),
    KW_PUBLIC_URL: balancer.url,
    KW_PLUGIN_HOSTS: '127.0.0.1',
    KW_RATE_LIMIT: '0',
    KW_LOG_FORMAT: 'json',
    ...settings,
  };
  const start = (at: number, more: Settings = {}): Promise<Service> =>
    at < apis
      ? startService('api', { ...env, ...more, PORT: String(ports[at]) })
      : startService('worker', { ...env, ...more });
  const bothReady = (): Promise<true> => eventually(() => balancer.ready().length === apis);
  const services = await Promise.all(processes.map((at) => start(at)));
  await bothReady();
  const { key: adminKey } = await createApiKey(database.db, { name: 'tests', scopes: ['admin'] });
  const client = createRestClient({ api: balancer.url, adminKey });
  const { endpoint } = plugin;
  const config = { key: 'a value that is sealed' };
  await client.expect(201, 'POST', '/plugins', {
    id: 'notes',
    name: 'Notes',
    kind: 'http',
    endpoint,
    config,
  });
  return {
    database,
    plugin,
    balancer,
    client,
    adminKey,
    env,
    services,
    start,
    async roll(more = {}, beforeStop = () => Promise.resolve()) {
      for (const at of processes) {
        await beforeStop(at);
        assert.equal(await services[at]!.stop(), 0, services[at]!.output());
        services[at] = await start(at, more);
        if (at < apis) await bothReady();
      }
    },
    async stop() {
      await Promise.all(services.map((service) => service.kill9()));
      await balancer.stop();
      await plugin.stop();
      await database.drop();
    },
  };
}
