import { loadConfig, type Environment } from '../../runtime/settings/config.js';
import { runService } from './run-service.js';

/** Runs only the API. Returns its exit code. Throws ConfigError before anything runs. */
export async function serve(env: Environment): Promise<number> {
  loadConfig(env, 'api');
  return runService('api', env);
}
