import type { Environment } from '../../runtime/settings/config.js';

/**
 * What a process of API or worker finds in its environment. Node looks names up on half the threads of its pool, of
 * which there are four unless told: two names whose servers do not answer would hold up every connection that is to be
 * made. Threads are begun when they are needed.
 */
export function serviceEnvironment(env: Environment): NodeJS.ProcessEnv {
  return { UV_THREADPOOL_SIZE: '16', ...env };
}
