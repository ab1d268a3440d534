import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import type { ProcessIdentity } from '../../runtime/embedded/process-identity.js';
import { findTemporal } from '../../runtime/embedded/temporal-binary.js';
import { startTemporalServer } from '../../runtime/embedded/temporal-server.js';
import type { TemporalConfig } from '../../runtime/config.js';
import { shared } from './servers.js';
import { temporaryFolder } from './temporary.js';

/** A Temporal server for tests. */
export interface TestTemporal {
  /** How to reach it, as the service's own configuration says it. */
  readonly config: TemporalConfig;
  readonly identity: ProcessIdentity;
  stop(): Promise<void>;
}

/** One server for the whole run, with its database in memory and our search attributes registered. */
export function startTemporal(): Promise<TestTemporal> {
  return shared('temporal', async () => {
    const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
    const paths = dataPaths(temporaryFolder());
    const server = await startTemporalServer(binary, 'default', paths, keptPorts(paths.ports), {
      inMemory: true,
    });
    return {
      config: { address: server.address, namespace: 'default', apiKey: null, tls: null, uiUrl: server.uiUrl },
      identity: server.daemon.identity,
      stop: () => server.stop(0),
    };
  });
}
