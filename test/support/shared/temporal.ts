import { dataPaths } from '../../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../../runtime/embedded/ports.js';
import { signal } from '../../../runtime/embedded/process-identity.js';
import { findTemporal } from '../../../runtime/embedded/temporal/binary.js';
import { startTemporalServer } from '../../../runtime/embedded/temporal/server.js';
import { atExit } from '../at-exit.js';
import { temporaryFolder } from '../temporary.js';
import type { SharedServer } from './servers.js';

export interface TemporalInfo {
  /** The host:port of the frontend. */
  readonly address: string;
  readonly uiUrl: string;
}

/** Starts a Temporal server with its database in memory. */
export async function startSharedTemporal(): Promise<SharedServer<TemporalInfo>> {
  const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
  const paths = dataPaths(temporaryFolder());
  const server = await startTemporalServer(binary, 'default', paths, keptPorts(paths.ports), {
    inMemory: true,
  });
  // Also stops it if the test run is interrupted.
  atExit(() => signal(server.daemon.identity, 'SIGKILL', 'group'));
  return { info: { address: server.address, uiUrl: server.uiUrl }, stop: () => server.stop(0) };
}
