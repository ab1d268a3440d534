import { inspectConfig, loadConfig, type Config, type Environment } from '../../runtime/settings/config.js';
import { readStack } from '../../runtime/embedded/data-dir.js';
import type { ProcessRole } from '../../runtime/settings/setting-types.js';

/**
 * Returns the configuration of a command that works on the database. Without DATABASE_URL, it uses the
 * database of the `npm start` that is running in the data directory.
 *
 * @throws ConfigError if no database is configured
 */
export function loadOperationConfig(env: Environment, role: ProcessRole): Config {
  return loadConfig(completeFromStack(env), role);
}

/**
 * The settings of TLS and API key for Temporal's embedded server, which has neither. They are empty, not left out,
 * because API and worker would read missing ones from `.env`.
 */
export const plainTemporal: Environment = {
  TEMPORAL_API_KEY: '',
  TEMPORAL_API_KEY_FILE: '',
  TEMPORAL_TLS: 'false',
  TEMPORAL_TLS_SERVER_NAME: '',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: '',
  TEMPORAL_TLS_CLIENT_CERT_PATH: '',
  TEMPORAL_TLS_CLIENT_KEY_PATH: '',
};

/** Returns the environment; without DATABASE_URL, with the settings of the stack that runs in the data directory. */
export function completeFromStack(env: Environment): Environment {
  const given = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => (env[name] ?? '').trim() !== '');
  const { config } = inspectConfig({ KW_DATA_DIR: env['KW_DATA_DIR'] }, 'start');
  const stack = given ? null : readStack(config.dataDir);
  if (stack === null) return env;
  return {
    ...env,
    KW_PUBLIC_URL: stack.api,
    DATABASE_URL: stack.database_url,
    TEMPORAL_ADDRESS: stack.temporal_address,
    TEMPORAL_NAMESPACE: stack.temporal_namespace,
    ...('temporal' in stack.processes && plainTemporal),
  };
}
