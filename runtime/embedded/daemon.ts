import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { identify, signal, waitForEnd, type ProcessIdentity } from './process-identity.js';
import { StartError } from './start-error.js';

/** A log beyond this size is set aside at the next start; one older is kept. */
const logBytes = 10 * 1024 * 1024;

/** A program that runs beside us, in a process group of its own, with its output in a log file. */
export interface Daemon {
  readonly identity: ProcessIdentity;
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<string>;
  readonly logFile: string;
  /** Where in the log its output begins, in bytes. */
  readonly logStart: number;
  /** Sends the signals one after another until it has ended; the last one kills. */
  stop(plan: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[]): Promise<void>;
}

/** How a server of our own is started. */
export interface StartOptions {
  /** Milliseconds that the ports kept from the last start may still be busy. */
  readonly portWaitMs?: number;
  /** Hears of the process as soon as there is one, long before it is ready. */
  readonly onSpawn?: (identity: ProcessIdentity) => void;
}

/** Opens a log for appending; one that has grown large is renamed to `….1` first. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && statSync(path).size > logBytes) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** Starts a program. Throws StartError when it cannot be run at all. */
export function startDaemon(
  command: readonly [string, ...string[]],
  options: {
    readonly logFile: string;
    readonly env: Readonly<Record<string, string>>;
    readonly account?: { readonly uid: number; readonly gid: number };
  },
): Daemon {
  const log = openLog(options.logFile);
  const logStart = statSync(options.logFile).size;
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    env: { ...options.env },
    cwd: '/',
    detached: true,
    ...options.account,
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(name === null ? `exit code ${code ?? 0}` : name));
  });
  if (child.pid === undefined) throw new StartError(`${program} cannot be run.`);
  // A process that has ended has no identity; its output says why.
  const identity = identify(child.pid) ?? { pid: child.pid, started: 'ended' };
  return {
    identity,
    ended,
    logFile: options.logFile,
    logStart,
    async stop(plan) {
      for (const { signal: name, waitMs } of plan) {
        signal(identity, name);
        if (await waitForEnd(identity, waitMs)) return;
      }
      signal(identity, 'SIGKILL', 'group');
      await waitForEnd(identity, 2000);
    },
  };
}

/** What a daemon wrote since it was started. */
export function outputOf(daemon: Daemon): string {
  return readFileSync(daemon.logFile).subarray(daemon.logStart).toString();
}
