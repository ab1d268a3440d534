import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnyPlugin, PluginLog } from '../../types.js';
import { createCoreClient, type CoreClient } from '../core/core-client.js';
import { createHttpAttempts } from './http-attempts.js';
import { createRequestListener } from './http-requests.js';
import { createWorkerLog } from '../log.js';
import type { HttpWorkerOptions } from '../options.js';
import { createCallCore } from '../core/register.js';
import { listenSettings, requireCore } from '../settings.js';
import { registerForSecret, secretsFolderOf } from './signing-secrets.js';
import { stopSignal } from '../stop-signals.js';

type Secrets = ReadonlyMap<string, readonly string[]>;

/** See `runHttpWorker`. */
export async function serveHttp(plugins: readonly AnyPlugin[], options: HttpWorkerOptions): Promise<void> {
  const log = options.log ?? createWorkerLog();
  const { host, port } = listenSettings(options);
  const stop = stopSignal(options.signal);
  const client = createCoreClient();
  const attempts = createHttpAttempts(client, log, options.concurrency ?? 10);
  const server = createServer();
  try {
    await listen(server, host, port);
    const secrets = findSecrets(plugins, options, localUrl(server), { client, signal: stop.signal, log });
    secrets.catch(() => undefined);
    server.on('request', createRequestListener({ plugins, attempts, secrets, signal: stop.signal, log }));
    await secrets;
    log.info({ url: localUrl(server), plugins: plugins.map(({ id }) => id) }, 'the worker is ready');
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
  } finally {
    const closed = server.listening ? once(server, 'close') : Promise.resolve();
    server.close();
    await attempts.stop((options.graceSeconds ?? 5) * 1_000);
    server.closeAllConnections();
    await closed;
    stop.dispose();
    await client.close();
  }
  log.info({}, 'the worker has stopped');
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} of ${host} is taken: set PORT to another one.`, { cause: error });
  }
}

/** Returns the URL of the server on this machine. */
function localUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Returns the configured secrets, or else those from the registrations. */
async function findSecrets(
  plugins: readonly AnyPlugin[],
  options: HttpWorkerOptions,
  localBase: string,
  host: { readonly client: CoreClient; readonly signal: AbortSignal; readonly log: PluginLog },
): Promise<Secrets> {
  const { endpoint = localBase, secrets, secretsFolder } = listenSettings(options);
  if (secrets.length > 0) return new Map(plugins.map(({ id }) => [id, secrets]));
  const core = requireCore(options);
  const call = createCallCore(host.client, core, host.signal, host.log);
  const folder = secretsFolderOf(core.url, secretsFolder);
  const found = new Map<string, readonly string[]>();
  for (const plugin of plugins) {
    found.set(plugin.id, [await registerForSecret(call, plugin, `${endpoint}/${plugin.id}`, folder)]);
  }
  return found;
}
