import { closeDatabases } from './postgres.js';
import { stopShared } from './servers.js';

/** What mocha does around all suites. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await closeDatabases();
    await stopShared();
  },
};
