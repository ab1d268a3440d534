import { DefaultLogger, Runtime } from '@temporalio/worker';
import { closeDatabases } from './postgres.js';
import { stopShared } from './servers.js';

// The workers in this process say nothing of failures that tests cause on purpose.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'OFF' } },
});

/** What mocha does around all suites. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await closeDatabases();
    await stopShared();
  },
};
