// Core's worker, with a built-in plugin that does nothing instead of the real ones.
import { NativeConnection } from '@temporalio/worker';
import { registerBuiltIns } from '../activities/built-in/register.js';
import { createWorker } from '../activities/worker.js';
import { loadConfig, readEnvironment } from '../runtime/settings/config.js';
import { createDeps } from '../runtime/deps.js';
import { startSweeper } from '../runtime/sweeps/sweeper.js';
import { fileURLToPath } from 'node:url';
import { noop } from '../test/support/workers/no-op-plugin.js';

const deps = await createDeps(loadConfig(readEnvironment(), 'worker'), 'worker');
await registerBuiltIns(deps, [noop]);
const connection = await NativeConnection.connect({ address: deps.config.temporal.address });
const bundle = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
const worker = await createWorker(deps, connection, [noop], {
  plain: bundle('workflow-bundle.js'),
  traced: bundle('workflow-bundle-traced.js'),
});
const sweeper = startSweeper(deps.sweeps, deps.config.sweepIntervalSeconds, deps.log);
process.on('SIGTERM', () => worker.shutdown());
console.log('core worker is ready');
await worker.run();
await sweeper.stop();
await connection.close();
await deps.close();
