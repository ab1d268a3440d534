import { dataPaths } from '../../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../../runtime/embedded/ports.js';
import { startPostgres } from '../../../runtime/embedded/postgres/server.js';
import { signal } from '../../../runtime/embedded/process-identity.js';
import { connectDatabase } from '../../../storage/database/connection.js';
import { migrate } from '../../../storage/migrate.js';
import { atExit } from '../at-exit.js';
import { temporaryFolder } from '../temporary.js';
import type { SharedServer } from './servers.js';

export interface PostgresInfo {
  /** The superuser's URL of the database `postgres`. */
  readonly superuserUrl: string;
  /** The service role's URL of the template database, which has the whole schema and no connections. */
  readonly templateUrl: string;
}

/** Data need not survive a crash of the machine. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

export async function startSharedPostgres(): Promise<SharedServer<PostgresInfo>> {
  const paths = dataPaths(temporaryFolder());
  const server = await startPostgres(paths, keptPorts(paths.ports), { settings });
  // Also stops it if the test run is interrupted.
  atExit(() => signal(server.daemon.identity, 'SIGKILL', 'group'));
  const template = connectDatabase(server.url, { poolSize: 1 });
  await migrate(template);
  await template.destroy();
  return {
    info: { superuserUrl: server.superuserUrl, templateUrl: server.url },
    stop: () => server.stop(),
  };
}
