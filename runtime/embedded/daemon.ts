import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { workInBackground } from '../background-priority.js';
import { identify, signal, waitForEnd, type ProcessIdentity } from './process-identity.js';
import { StartError } from './start-error.js';

/** A log larger than this is rotated; one older log is kept. */
const logBytes = 10 * 1024 * 1024;

/** A child program in its own process group, with its output in a log file. */
export interface Daemon {
  readonly identity: ProcessIdentity;
  /** Resolves when the program has ended, with a description of how. */
  readonly ended: Promise<string>;
  readonly logFile: string;
  /** The offset in the log where this program's output begins, in bytes. */
  readonly logStart: number;
  /** Sends the signals in order until the program has ended; the last one must kill it. */
  stop(plan: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[]): Promise<void>;
}

/** Options for starting an embedded server. */
export interface StartOptions {
  /** Milliseconds to wait if a port kept from the last start is still busy. */
  readonly portWaitMs?: number;
  /** Called as soon as the process exists, long before it is ready. */
  readonly onSpawn?: (identity: ProcessIdentity) => void;
}

/** Opens a log for appending; a large one is first renamed to `….1`. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && statSync(path).size > logBytes) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/**
 * Copies each large log in a folder to `….1` and empties it. It is not renamed, because running programs keep it open.
 * They append, so they continue at its new end; lines written between the two are lost.
 */
export function rotateLogs(folder: string): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    if (name.endsWith('.log')) attempt(() => rotate(path));
  }
}

function rotate(path: string): void {
  if (statSync(path).size <= logBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

/** Ignores a failure, such as a full disk: everything else goes on, and the next call tries again. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Starts a program. Throws StartError if it cannot be executed. */
export function startDaemon(
  command: readonly [string, ...string[]],
  options: {
    readonly logFile: string;
    readonly env: Readonly<Record<string, string>>;
    /** Its working directory; `/` by default. */
    readonly cwd?: string;
    readonly account?: { readonly uid: number; readonly gid: number };
    /** Whether it gives way to other processes. */
    readonly isInBackground?: boolean;
  },
): Daemon {
  const log = openLog(options.logFile);
  const logStart = statSync(options.logFile).size;
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    env: { ...options.env },
    cwd: options.cwd ?? '/',
    detached: true,
    ...options.account,
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(name === null ? `exit code ${code ?? 0}` : name));
  });
  if (child.pid === undefined) throw new StartError(`${program} cannot be run.`);
  if (options.isInBackground === true) workInBackground(child.pid);
  // A process that has already ended has no identity; its output explains why.
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

/** What a daemon has written since its start. */
export function outputOf(daemon: Daemon): string {
  return readFileSync(daemon.logFile).subarray(daemon.logStart).toString();
}
