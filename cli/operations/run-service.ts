import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Environment } from '../../runtime/settings/config.js';
import { serviceEnvironment } from './service-environment.js';

const modules = {
  api: fileURLToPath(new URL('../../bin/api.js', import.meta.url)),
  worker: fileURLToPath(new URL('../../bin/worker.js', import.meta.url)),
};

/**
 * Runs the API or the worker alone in a child process that shares our output, and forwards the first signal:
 * SIGINT, from a user at a terminal, unchanged, and any other as SIGTERM. Returns the exit code: 0 after a
 * requested stop.
 */
export async function runService(name: keyof typeof modules, env: Environment): Promise<number> {
  const child = fork(modules[name], [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--enable-source-maps', '--disable-warning=ExperimentalWarning'],
    env: serviceEnvironment(env),
    // Ctrl-C reaches only this process. Otherwise the child would receive it twice.
    detached: true,
  });
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
