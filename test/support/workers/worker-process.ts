import { spawn, type ChildProcess } from 'node:child_process';
import { atExit } from '../at-exit.js';

/** A plugin's worker in a separate process. */
export interface WorkerProcess {
  readonly pid: number;
  /** Returns the output so far. */
  readonly output: () => string;
  /** Resolves with its exit code, or null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Stops it and waits until it has ended. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
}

/** Starts a program with only the PATH, the home folder and the given environment. */
export function startWorkerProcess(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): WorkerProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(command, args, {
    env: { PATH, HOME, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // Signal the whole group: a wrapper (a shell, npx) may not forward signals.
  const signal = (name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, name);
  };
  atExit(() => signal('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  return {
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    async stop() {
      signal('SIGTERM');
      return await ended;
    },
    async kill9() {
      signal('SIGKILL');
      await ended;
    },
  };
}
