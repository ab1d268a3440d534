import { loadConfig, type Environment } from '../../runtime/settings/config.js';
import { forkService, serviceModules, type ServiceName } from './fork-service.js';

/**
 * Runs the API or the worker alone in a child process that shares our output, and forwards the first signal:
 * SIGINT, from a user at a terminal, unchanged, and any other as SIGTERM. Returns the exit code: 0 after a
 * requested stop. Throws ConfigError before anything runs.
 */
export async function runService(name: ServiceName, env: Environment): Promise<number> {
  loadConfig(env, name);
  const child = forkService(serviceModules[name], env, 'inherit');
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!asked) child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
      asked = true;
    });
  }
  return await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? (asked ? 0 : 1)));
  });
}
