import type { Environment } from '../../runtime/settings/config.js';

/**
 * The environment of API and worker processes. Node runs DNS look-ups on half of its thread pool, which has
 * four threads by default: two names whose servers do not answer would block every new connection. Threads
 * are started on demand.
 */
export function serviceEnvironment(env: Environment): NodeJS.ProcessEnv {
  return { UV_THREADPOOL_SIZE: '16', ...env };
}
