import { closeSync, readFileSync, statSync } from 'node:fs';

import type { Environment } from '../../../runtime/settings/config.js';
import { openLog } from '../../../runtime/embedded/daemon.js';
import { identify, type ProcessIdentity } from '../../../runtime/embedded/process-identity.js';
import { StartError } from '../../../runtime/embedded/start-error.js';
import type { StartReport } from '../../../runtime/tell-parent.js';
import { forkService } from '../fork-service.js';
import { lastWords } from './log-tail.js';
import type { Running } from './supervise.js';

/** A process that has reported nothing by then has failed. */
const reportWithinMs = 120_000;

/** A process that accepted its settings. */
export interface ServiceProcess extends Running {
  /** What it still waits for, such as `Temporal`; null if it is ready. */
  readonly waitsFor: string | null;
}

/**
 * Starts one of the service's processes in its own process group, with its output in a log file, and waits
 * until it reports over the channel that it is ready, or that it waits for a server that is down. It exits by itself
 * when the channel closes, for example because this process died.
 *
 * @throws StartError with its last output if it exits before it is ready
 */
export async function startServiceProcess(
  name: string,
  module: string,
  options: {
    readonly env: Environment;
    readonly logFile: string;
    readonly onSpawn: (identity: ProcessIdentity) => void;
  },
): Promise<ServiceProcess> {
  const log = openLog(options.logFile);
  const logStart = statSync(options.logFile).size;
  const child = forkService(module, options.env, log);
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 0}`));
  });
  const identity = child.pid === undefined ? null : identify(child.pid);
  if (identity !== null) options.onSpawn(identity);

  let timer: NodeJS.Timeout | undefined;
  const reported = new Promise<StartReport>((resolve) => {
    child.once('message', (message) => resolve(message as StartReport));
  });
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve('not ready in time');
    }, reportWithinMs);
  });
  const outcome = await Promise.race([reported, ended, late]);
  clearTimeout(timer);
  if (typeof outcome !== 'string' && identity !== null)
    return { identity, ended, waitsFor: outcome.type === 'waiting' ? outcome.for : null };
  const how = typeof outcome === 'string' ? outcome : outcome.type;
  const output = readFileSync(options.logFile).subarray(logStart).toString();
  throw new StartError(`${name} did not start (${how}): ${lastWords(output)} (${options.logFile})`);
}
