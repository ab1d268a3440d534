import { signal, type ProcessIdentity } from '../../runtime/embedded/process-identity.js';
import { atExit } from './at-exit.js';

interface Server {
  stop(): Promise<void>;
  readonly identity: ProcessIdentity;
}

const servers = new Map<string, Promise<Server>>();

/** Starts a server the first time it is asked for in this run; it serves all suites. */
export function shared<T extends Server>(name: string, start: () => Promise<T>): Promise<T> {
  const known = servers.get(name) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const starting = start().then((server) => {
    // A run that is cut off leaves nothing behind either.
    atExit(() => signal(server.identity, 'SIGKILL', 'group'));
    return server;
  });
  servers.set(name, starting);
  return starting;
}

/** Stops what `shared` started. */
export async function stopShared(): Promise<void> {
  const started = await Promise.allSettled(servers.values());
  servers.clear();
  for (const server of started) if (server.status === 'fulfilled') await server.value.stop();
}
