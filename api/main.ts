import { fileURLToPath } from 'node:url';
import { ConfigError, loadConfig, localUrl, readEnvironment } from '../runtime/config.js';
import { createDeps, type Deps } from '../runtime/deps.js';
import { startSweeper } from '../runtime/sweeper.js';
import { createApp } from './app.js';
import { closeServer, createHttpServer, listen } from './server.js';

/** What the build of web/ makes, beside us in dist/. */
const webFolder = fileURLToPath(new URL('../web', import.meta.url));
/** How long answers on their way may still take when the process is asked to stop. */
const graceMs = 5_000;
/** How long what is closed after that may take. */
const closingMs = 2_000;

const stopping = new AbortController();
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => stopping.abort());

try {
  await main();
} catch (error) {
  const line = explain(error);
  if (line === null) throw error;
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
} finally {
  // The channel to the parent would keep the process alive.
  if (process.connected) process.disconnect();
}

async function main(): Promise<void> {
  const deps = await createDeps(loadConfig(readEnvironment(), 'api'), 'api');
  try {
    await serve(deps);
  } finally {
    // Whatever is still being sent to a Temporal that does not answer is in the outbox too.
    setTimeout(() => process.exit(), closingMs).unref();
    await deps.close();
  }
}

async function serve(deps: Deps): Promise<void> {
  const { host, port, sweepIntervalSeconds } = deps.config;
  const handle = createApp(deps, webFolder).callback();
  const server = createHttpServer((request, response) => void handle(request, response));
  await listen(server, host, port);
  const sweeper = startSweeper(deps.sweeps, sweepIntervalSeconds, deps.log);
  const url = localUrl(host, port);
  process.send?.({ type: 'ready', url });
  deps.log.info({ url }, 'API is ready');
  await new Promise<void>((resolve) => {
    if (stopping.signal.aborted) resolve();
    stopping.signal.addEventListener('abort', () => resolve());
  });
  await Promise.all([closeServer(server, graceMs), sweeper.stop()]);
}

/** What keeps the process from starting, in one line; null for what nobody expects. */
function explain(error: unknown): string | null {
  if (error instanceof ConfigError) return error.message;
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  const place = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE') return `${place} is in use by another program; set PORT to another port.`;
  if (code === 'EACCES') return `${place} may not be listened on; set PORT to 1024 or above.`;
  if (code === 'EADDRNOTAVAIL') return `${place} is no address of this machine; set HOST to one that is.`;
  return null;
}
