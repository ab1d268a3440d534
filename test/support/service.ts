import { fork } from 'node:child_process';
import { once } from 'node:events';
import assert from 'node:assert/strict';
import { atExit } from './at-exit.js';
import { eventually } from './eventually.js';
import { temporaryFolder } from './temporary.js';

/** `kw serve` or `kw worker` as an operator runs it. */
export interface Service {
  readonly pid: number;
  readonly output: () => string;
  kill9(): Promise<void>;
  /** Asks it to stop, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts it with nothing in its environment but the PATH and what is given, and waits until it says that it is ready. */
export async function startService(
  command: 'serve' | 'worker',
  env: Readonly<Record<string, string>>,
): Promise<Service> {
  const child = fork('dist/cli/main.js', [command], {
    env: { PATH: process.env['PATH'], KW_DATA_DIR: temporaryFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  atExit(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await once(child, 'exit');
    return child.exitCode;
  };
  await eventually(
    () => {
      assert.equal(child.exitCode, null, output);
      return /(API|worker) is ready/.test(output);
    },
    { timeoutMs: 30_000 },
  );
  return {
    pid: child.pid ?? -1,
    output: () => output,
    kill9: () => end('SIGKILL').then(() => undefined),
    stop: () => end('SIGTERM'),
  };
}
