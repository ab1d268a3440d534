import { closeDatabases } from './postgres.js';
import { serveShared } from './shared/servers.js';

let stopServing = (): Promise<void> => Promise.resolve();

/** Once in a run, in the process of mocha itself. */
export async function mochaGlobalSetup(): Promise<void> {
  stopServing = await serveShared();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServing();
}

/** Around the suites of a run, or, of one in parallel, around those of each file. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await closeDatabases();
  },
};
