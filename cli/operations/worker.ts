import { loadConfig, type Environment } from '../../runtime/settings/config.js';
import { runService } from './run-service.js';

/** Runs only the Temporal worker. Returns its exit code. Throws ConfigError before anything runs. */
export async function worker(env: Environment): Promise<number> {
  loadConfig(env, 'worker');
  return runService('worker', env);
}
