import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findTemporal } from '../../runtime/embedded/temporal/binary.js';
import { findFreePort } from '../../runtime/embedded/ports.js';
import { readEnvironment } from '../../runtime/settings/config.js';
import { StartError } from '../../runtime/embedded/start-error.js';

/** A Temporal server without persistence. */
export interface DevServer {
  /** The host:port of its frontend. */
  readonly address: string;
  stop(): Promise<void>;
}

const startMs = 30_000;

/**
 * Starts a Temporal dev server on a free port of 127.0.0.1, with its database in memory.
 *
 * @param onProgress Called with slow actions.
 * @throws StartError if there is no Temporal CLI, or it does not start
 */
export async function startDevServer(onProgress: (message: string) => void): Promise<DevServer> {
  const binary = await findTemporal(readEnvironment(), onProgress, new AbortController().signal);
  const port = await findFreePort();
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  const server = spawn(binary, [...args, '--log-level', 'never'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  let output = '';
  server.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    const killing = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(killing);
  };
  const address = `127.0.0.1:${port}`;
  if (await isReady(address, () => server.exitCode !== null)) return { address, stop };
  await stop();
  throw new StartError(`Temporal did not start: ${output.trim().split('\n').at(-1) ?? ''}`);
}

async function isReady(address: string, hasEnded: () => boolean): Promise<boolean> {
  const { Connection } = await import('@temporalio/client');
  const end = performance.now() + startMs;
  while (!hasEnded() && performance.now() < end) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 1_000 });
      try {
        await connection.workflowService.describeNamespace({ namespace: 'default' });
        return true;
      } finally {
        await connection.close();
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return false;
}
