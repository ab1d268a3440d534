import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Environment } from '../../runtime/settings/config.js';

export const serviceModules = {
  api: fileURLToPath(new URL('../../bin/api.js', import.meta.url)),
  worker: fileURLToPath(new URL('../../bin/worker.js', import.meta.url)),
};

export type ServiceName = keyof typeof serviceModules;

/**
 * Starts the module of the API or the worker in its own process group, with a channel.
 *
 * @param output The descriptor of the file for its output; `inherit`: it shares ours
 */
export function forkService(module: string, env: Environment, output: number | 'inherit'): ChildProcess {
  return fork(module, [], {
    stdio: ['ignore', output, output, 'ipc'],
    execArgv: ['--enable-source-maps', '--disable-warning=ExperimentalWarning'],
    // Node runs DNS lookups on half of its thread pool, which has four threads by default: two names whose servers do
    // not answer would block every new connection. Threads are started on demand.
    env: { UV_THREADPOOL_SIZE: '16', ...env },
    // Ctrl-C reaches only this process, which decides when the child stops.
    detached: true,
  });
}
