import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { atExit } from '../at-exit.js';
import { eventually } from '../eventually.js';
import { temporaryFolder } from '../temporary.js';

const programs = { api: 'dist/bin/api.js', worker: 'dist/bin/worker.js' } as const;

/** The API or the worker as a direct child process without `kw`, so that a kill hits the process itself. */
export interface Service {
  readonly pid: number;
  readonly output: () => string;
  kill9(): Promise<void>;
  /** Stops it, and returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts a process with only the PATH and the given environment, and waits until it is ready.
 *
 * @param within A command prefix that runs the command after it, like `env`.
 * @param node Options for Node itself.
 * @param logFile The file for its output, as the process sees the path.
 */
export async function startService(
  name: keyof typeof programs,
  env: Readonly<Record<string, string>>,
  within: readonly string[] = [],
  node: readonly string[] = [],
  logFile?: string,
): Promise<Service> {
  const logging = logFile === undefined ? [] : ['sh', '-c', 'exec "$@" >>"$0" 2>&1', logFile];
  const words = [...within, ...logging, process.execPath, ...node, resolve(programs[name])];
  const child = spawn(words[0]!, words.slice(1), {
    env: { PATH: process.env['PATH'], KW_DATA_DIR: temporaryFolder(), KW_DRAIN_SECONDS: '0', ...env },
    cwd: temporaryFolder(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atExit(() => child.kill('SIGKILL'));
  let piped = '';
  const output = (): string => {
    const file = `/proc/${child.pid}/root${logFile}`;
    return piped + (logFile !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '');
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (piped += text));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await once(child, 'exit');
    return child.exitCode;
  };
  await eventually(
    () => child.exitCode !== null || child.signalCode !== null || /(API|worker) is ready/.test(output()),
    { timeoutMs: 280_000 },
  ).catch(async (error: unknown) => {
    await end('SIGKILL');
    throw error;
  });
  assert.equal(child.exitCode ?? child.signalCode, null, output());
  return {
    pid: child.pid ?? -1,
    output,
    kill9: () => end('SIGKILL').then(() => undefined),
    stop: () => end('SIGTERM'),
  };
}
