import { resolve } from 'node:path';
import { createWorker } from '../../activities/worker.js';
import { registerBuiltIns } from '../../activities/built-in/register.js';
import type { AnyPlugin } from '../../plugins/sdk/index.js';
import { loadConfig } from '../../runtime/config.js';
import { createDeps, type Deps } from '../../runtime/deps.js';
import { startSweeper } from '../../runtime/sweeper.js';
import { connectWorkerTemporal } from '../../runtime/temporal.js';
import { createDatabase } from './postgres.js';
import { temporaryFolder } from './temporary.js';
import { startTemporal } from './temporal.js';

/** Core's worker in this process, on a database of its own, with the real Temporal and a file store. */
export interface TestCore {
  readonly deps: Deps;
  stop(): Promise<void>;
}

/** Starts Core's worker and its sweeps. `env` adds settings. */
export async function startCore(options: {
  readonly plugins: readonly AnyPlugin[];
  readonly env?: Readonly<Record<string, string>>;
}): Promise<TestCore> {
  const [database, temporal] = await Promise.all([createDatabase(), startTemporal()]);
  const config = loadConfig({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.config.address,
    KW_SECRET: 'a-secret-of-the-tests-alone',
    KW_PUBLIC_URL: 'http://127.0.0.1:1',
    KW_DATA_DIR: temporaryFolder(),
    KW_LOG_LEVEL: 'error',
    KW_PLUGIN_HOSTS: '127.0.0.1',
    ...options.env,
  });
  const deps = await createDeps(config, 'test');
  await registerBuiltIns(deps, options.plugins);
  const connection = await connectWorkerTemporal(config.temporal);
  const worker = await createWorker(deps, connection, options.plugins, resolve('dist/workflow-bundle.js'));
  const running = worker.run();
  const sweeper = startSweeper(deps.sweeps, 0.2, deps.log);
  return {
    deps,
    async stop() {
      worker.shutdown();
      await running;
      await sweeper.stop();
      await connection.close();
      await deps.close();
      await database.drop();
    },
  };
}
