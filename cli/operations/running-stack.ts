import { loadConfig, type Config, type Environment } from '../../runtime/settings/config.js';
import { readStack } from '../../runtime/embedded/data-dir.js';
import type { ProcessRole } from '../../runtime/settings/setting-types.js';

/**
 * The configuration of a command that works on the database: where DATABASE_URL is not given, that of what
 * `npm start` runs in the data directory right now.
 *
 * @throws ConfigError when nothing tells the database
 */
export function loadOperationConfig(env: Environment, role: ProcessRole): Config {
  return loadConfig(completeFromStack(env), role);
}

/** The environment of a command, with what a stack that runs in the data directory adds where DATABASE_URL is not given. */
export function completeFromStack(env: Environment): Environment {
  const given = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => (env[name] ?? '').trim() !== '');
  const { dataDir } = loadConfig({ KW_DATA_DIR: env['KW_DATA_DIR'] }, 'start');
  const stack = given ? null : readStack(dataDir);
  if (stack === null) return env;
  return {
    ...env,
    KW_PUBLIC_URL: stack.api,
    DATABASE_URL: stack.database_url,
    TEMPORAL_ADDRESS: stack.temporal_address,
    TEMPORAL_NAMESPACE: stack.temporal_namespace,
  };
}
