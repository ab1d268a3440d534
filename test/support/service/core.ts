import type { AsyncLocalStorage } from 'node:async_hooks';
import '../workers/quiet-worker.js';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createWorker } from '../../../activities/worker.js';
import { registerBuiltIns } from '../../../activities/built-in/register.js';
import { createSilentWorkersSweep } from '../../../api/attempts/silent-workers.js';
import { createApp } from '../../../api/app.js';
import { closeServer, createHttpServer, listen } from '../../../api/server/http-server.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';
import { loadConfig } from '../../../runtime/settings/config.js';
import { createDeps, type Deps } from '../../../runtime/deps.js';
import { startSweeper, type Sweeper } from '../../../runtime/sweeps/sweeper.js';
import { connectWorkerTemporal } from '../../../runtime/temporal/connection.js';
import { createApiKey } from '../../../storage/auth/api-keys.js';
import { eventually } from '../eventually.js';
import { connected, createDatabase } from '../servers/postgres.js';
import { temporaryFolder } from '../temporary.js';
import { startTemporal } from '../servers/temporal.js';

/** A response of the API. */
export interface Answer {
  readonly status: number;
  readonly body: any;
  readonly headers: Headers;
}

/** API and worker in this process, with their own database, the real Temporal and a file store. */
export interface TestCore {
  readonly deps: Deps;
  readonly base: string;
  readonly adminKey: string;
  /** Calls the API below /api/v1, with the admin key unless another bearer token is given. */
  call(method: string, path: string, body?: unknown, bearer?: string): Promise<Answer>;
  /** Requests to register content as an upload of a type. */
  register(type: string, content: string | Uint8Array<ArrayBuffer>, name?: string): Promise<Answer>;
  /** Registers a text as an upload of a type. Returns the resource. */
  upload(type: string, text?: string): Promise<Answer['body']>;
  /** Creates a pipeline for a type with these steps. */
  pipeline(
    type: string,
    ...steps: readonly (Record<string, unknown> & { readonly plugin_id: string })[]
  ): Promise<void>;
  /** Waits until a resource is no longer PROCESSING. */
  settled(id: string, timeoutMs?: number): Promise<Answer['body']>;
  /** Stops the worker and starts a new one. */
  restartWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Stops the sweeps; `startSweeps` restarts them. */
  stopSweeps(): Promise<void>;
  startSweeps(): void;
  stop(): Promise<void>;
}

/**
 * Starts API and worker. `env` adds settings; `database` is an existing database, which its creator removes;
 * `webFolder` holds a web page.
 */
export async function startCore(options: {
  readonly plugins: readonly AnyPlugin[];
  readonly env?: Readonly<Record<string, string>>;
  readonly database?: { readonly url: string };
  readonly port?: number;
  readonly webFolder?: string;
  /** Returns the path of the workflow bundle for the next worker. Default: the product's bundle. */
  readonly bundle?: () => string;
}): Promise<TestCore> {
  const [database, temporal] = await Promise.all([
    options.database ? { ...options.database, drop: () => Promise.resolve() } : createDatabase(),
    startTemporal(),
  ]);
  let listener: RequestListener = (_request, response) => response.destroy();
  const server = createHttpServer((request, response) => listener(request, response));
  await listen(server, '127.0.0.1', options.port ?? 0);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = loadConfig({
    DATABASE_URL: database.url,
    ...temporal.env,
    KW_SECRET: 'a-secret-of-the-tests-alone',
    KW_PUBLIC_URL: base,
    KW_DATA_DIR: temporaryFolder(),
    KW_LOG_LEVEL: 'error',
    KW_RATE_LIMIT: '0',
    KW_PLUGIN_HOSTS: '127.0.0.1',
    // Frequent sweeps, since some suites mostly wait for one.
    KW_SWEEP_INTERVAL_SECONDS: '1',
    ...options.env,
  });
  const deps = await createDeps(config, 'test');
  await connected(deps.db);
  await registerBuiltIns(deps, options.plugins);
  const { key: adminKey } = await createApiKey(deps.db, { name: 'tests', scopes: ['admin'] });
  const handle = createApp(deps, { webFolder: options.webFolder ?? null }).callback();
  listener = (request, response) => void handle(request, response);
  const startSweeps = (): Sweeper => {
    const silentWorkers = createSilentWorkersSweep(deps.db, deps.log);
    return startSweeper([silentWorkers, ...deps.sweeps], config.sweepIntervalSeconds, deps.log);
  };
  let sweeper = startSweeps();

  let stopWorker = (): Promise<void> => Promise.resolve();
  const startWorker = async (): Promise<void> => {
    const connection = await connectWorkerTemporal(config.temporal);
    const bundles = {
      plain: options.bundle?.() ?? resolve('dist/workflow-bundle.js'),
      traced: resolve('dist/workflow-bundle-traced.js'),
    };
    const worker = await createWorker(deps, connection, options.plugins, bundles);
    const running = worker.run();
    stopWorker = async () => {
      stopWorker = () => Promise.resolve();
      worker.shutdown();
      await running;
      await connection.close();
      // The SDK leaves this enabled, which slows every later promise of the process.
      (
        connection as unknown as { callContextStorage: AsyncLocalStorage<unknown> }
      ).callContextStorage.disable();
    };
  };
  await startWorker();

  const call: TestCore['call'] = async (method, path, body, bearer = adminKey) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };

  const register: TestCore['register'] = async (type, content, name = type) => {
    const form = new FormData();
    form.set('name', name);
    form.set('type', type);
    form.set('file', new Blob([content], { type: 'text/plain' }), 'text.txt');
    return await call('POST', '/resources', form);
  };

  return {
    deps,
    base,
    adminKey,
    call,
    register,
    async upload(type, text = 'hello') {
      const answer = await register(type, text, `${type} ${text.slice(0, 20)}`);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
    async pipeline(type, ...steps) {
      const answer = await call('POST', '/pipelines', { name: type, trigger_type: type, steps });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    },
    settled: async (id, timeoutMs = 300_000) =>
      await eventually(
        async () => {
          // The API asks Temporal too. Most looks are too early, and cost less here.
          const row = await deps.db('resources').where({ id }).first('status');
          if (row?.status === 'PROCESSING') return false;
          const { status, body } = await call('GET', `/resources/${id}`);
          // It is 503 while the database is slow.
          return status === 200 && body.status !== 'PROCESSING' && body;
        },
        { timeoutMs },
      ),
    async restartWorker() {
      await stopWorker();
      await startWorker();
    },
    stopWorker: () => stopWorker(),
    startWorker,
    stopSweeps: () => sweeper.stop(),
    startSweeps: () => void (sweeper = startSweeps()),
    async stop() {
      await stopWorker();
      await sweeper.stop();
      await closeServer(server, 0);
      await deps.close();
      await database.drop();
    },
  };
}
