import { join, resolve } from 'node:path';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';
import { startIndexer } from '../../../activities/search/indexer.js';
import { createBuiltInPlugins } from '../../../plugins/built-in.js';
import { createApiKey } from '../../../storage/auth/api-keys.js';
import { seedPipelines } from '../../../storage/pipelines/seed.js';
import type { Deps } from '../../../runtime/deps.js';
import { registerBuiltIns } from '../../../activities/built-in/register.js';
import { startApi } from '../service/api.js';
import type { Answer, TestCore } from '../service/core.js';
import { startCore } from '../service/core.js';
import { startHttpWorker, type HttpWorker } from '../workers/http-worker.js';
import { reservePort } from '../servers/ports.js';
import { startProxy, type Proxy } from '../network/proxy.js';
import { createRestClient, type RestClient } from '../service/rest-client.js';
import { temporaryFolder } from '../temporary.js';

/** A service with the page, the built-in plugins and the default pipelines, in this process. */
export interface WebService {
  /** The base URL for browsers. */
  readonly api: string;
  readonly adminKey: string;
  readonly core: TestCore;
  /** A client that bypasses the proxy. */
  readonly client: RestClient;
  /** The default folder of register-vectors. */
  readonly vectorFolder: string;
  stop(): Promise<void>;
}

export interface WebServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** Plugins in addition to the built-in ones. */
  readonly plugins?: readonly AnyPlugin[];
}

export async function startWebService(options: WebServiceOptions = {}): Promise<WebService> {
  const vectorFolder = join(temporaryFolder(), 'vectors');
  const core = await startCore({
    ...options,
    plugins: [...createBuiltInPlugins({ vectorFolder }), ...(options.plugins ?? [])],
    webFolder: resolve('dist/web'),
    env: { KW_LOG_LEVEL: 'fatal', KW_SWEEP_INTERVAL_SECONDS: '1', ...options.env },
  });
  const { db } = core.deps;
  await seedPipelines(db);
  const indexer = startIndexer(core.deps);
  const { key: adminKey } = await createApiKey(db, { name: 'admin', scopes: ['admin'] });
  return {
    api: core.deps.config.publicUrl,
    adminKey,
    core,
    vectorFolder,
    client: createRestClient({ api: core.base, adminKey }),
    async stop() {
      await indexer.stop();
      await core.stop();
    },
  };
}

/** A service like a `WebService`, with everything but a worker. */
export interface WebApi extends Omit<WebService, 'core' | 'vectorFolder'> {
  readonly deps: Deps;
  /** The base URL that bypasses proxies. */
  readonly base: string;
}

/** Starts what shows and changes everything, but processes nothing: a worker takes a second to start. */
export async function startWebApi(
  options: Pick<NonNullable<Parameters<typeof startApi>[0]>, 'env' | 'workflows'> = {},
): Promise<WebApi> {
  const started = await startApi({ ...options, webFolder: resolve('dist/web') });
  const { deps, base } = started;
  await registerBuiltIns(deps, createBuiltInPlugins({ vectorFolder: join(temporaryFolder(), 'vectors') }));
  await seedPipelines(deps.db);
  const { key: adminKey } = await createApiKey(deps.db, { name: 'admin', scopes: ['admin'] });
  const client = createRestClient({ api: base, adminKey });
  return { api: deps.config.publicUrl, base, adminKey, deps, client, stop: () => started.stop() };
}

/** A service behind a proxy that lets a test disconnect only browsers. */
export interface ProxiedWebService extends WebService {
  readonly proxy: Proxy;
}

export async function startProxiedWebService(
  env: Readonly<Record<string, string>> = {},
): Promise<ProxiedWebService> {
  const port = await reservePort();
  const proxy = await startProxy({ host: '127.0.0.1', port });
  // A session is only valid at the public URL.
  const service = await startWebService({ port, env: { KW_PUBLIC_URL: `http://${proxy.address}`, ...env } });
  return {
    ...service,
    proxy,
    async stop() {
      await Promise.all([service.stop(), proxy.stop()]);
    },
  };
}

/** An artifact that an external worker creates. */
export interface MadeArtifact {
  readonly type: string;
  readonly content_type: 'text' | 'json' | 'vector';
  readonly content: unknown;
  readonly metadata?: object;
}

/** A service whose type `note` is read by extract-text and then sent to an HTTP worker of the test. */
export interface NotesService extends WebService {
  readonly worker: HttpWorker;
  /** Registers a note from which the worker creates these artifacts, and waits until its run ends. */
  make(name: string, artifacts: readonly MadeArtifact[]): Promise<Answer['body']>;
}

/** @param bounds The bounds of the worker's step, in addition to `plugin_id` */
export async function startNotesService(bounds: object = {}): Promise<NotesService> {
  const [service, worker] = await Promise.all([startWebService(), startHttpWorker()]);
  const { client } = service;
  const plugin = { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint };
  await client.expect(201, 'POST', '/plugins', plugin);
  const steps = [{ plugin_id: 'extract-text' }, { plugin_id: 'far', ...bounds }];
  await client.expect(201, 'POST', '/pipelines', { name: 'Notes', trigger_type: 'note', steps });
  return {
    ...service,
    worker,
    async make(name, artifacts) {
      worker.handle = () => ({ status: 200, body: { status: 'SUCCESS', artifacts } });
      const form = new FormData();
      form.set('name', name);
      form.set('type', 'note');
      form.set('file', new Blob(['A note.']), 'note.txt');
      return client.settled((await client.expect(201, 'POST', '/resources', form)).id);
    },
    async stop() {
      await service.stop();
      await worker.stop();
    },
  };
}
