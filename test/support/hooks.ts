import { workInBackground } from '../../runtime/background-priority.js';
import { closeDatabases } from './servers/postgres.js';
import { serveShared } from './shared/servers.js';

let stopServing = (): Promise<void> => Promise.resolve();

/** Runs once per test run, in mocha's own process. */
export async function mochaGlobalSetup(): Promise<void> {
  // Otherwise a busy test process keeps the services under test from the processors.
  workInBackground();
  stopServing = await serveShared();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServing();
}

/** Run around all suites; in a parallel run, around those of each file. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await closeDatabases();
  },
};
