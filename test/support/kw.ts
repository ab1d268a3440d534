import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { atExit } from './at-exit.js';
import { temporaryFolder } from './temporary.js';

const program = resolve('dist/cli/main.js');

/** How a command ended, and what it said. */
export interface KwResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface RunningKw {
  readonly child: ChildProcess;
  /** What it said so far; of a terminal all of it is in stdout. */
  readonly said: { stdout: string; stderr: string };
  /** Types, or, without a terminal, writes to standard input. */
  type(text: string): void;
  readonly ended: Promise<KwResult>;
}

/** `kw` as it is built, as somebody at a service. */
export interface Kw {
  /** A folder of its own, where it runs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end, on pipes. */
  (...args: readonly string[]): Promise<KwResult>;
  /** With something on standard input. */
  fed(input: string | Uint8Array, ...args: readonly string[]): Promise<KwResult>;
  start(...args: readonly string[]): RunningKw;
  /** On a terminal of 100 columns. */
  terminal(...args: readonly string[]): RunningKw;
  /** A line of bash, or another program, in which `kw` is on the PATH. */
  shell(line: string): RunningKw;
  /** Such a program on a terminal. */
  shellTerminal(line: string): RunningKw;
}

/** @param env How it finds the service: KW_URL and KW_API_KEY, unless it is to find out for itself. */
export function createKw(env: Readonly<Record<string, string>>): Kw {
  if (!existsSync(program)) throw new Error('dist/ is missing: run "npm run build" first.');
  const folder = temporaryFolder();
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TERM: 'xterm',
    LC_ALL: 'C.UTF-8',
    ...env,
  };
  const run = (command: string, args: readonly string[]): RunningKw => {
    const child = spawn(command, args, { cwd: folder, env: environment, stdio: 'pipe' });
    atExit(() => child.kill('SIGKILL'));
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    child.stdin.on('error', () => undefined);
    const ended = new Promise<KwResult>((done) => child.once('close', (code) => done({ code, ...said })));
    return { child, said, ended, type: (text) => void child.stdin.write(text) };
  };
  const start = (...args: readonly string[]): RunningKw => run(process.execPath, [program, ...args]);
  const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const onTerminal = (line: string): RunningKw =>
    run('script', ['-qefc', `stty cols 100 rows 30; ${line}`, '/dev/null']);
  const withKw = (line: string): string =>
    `mkdir -p bin && ln -sf ${quoted(program)} bin/kw && PATH="$PWD/bin:$PATH"; ${line}`;

  const kw = (...args: readonly string[]): Promise<KwResult> => {
    const running = start(...args);
    running.child.stdin?.end();
    return running.ended;
  };
  return Object.assign(kw, {
    folder,
    env: environment,
    start,
    fed(input: string | Uint8Array, ...args: readonly string[]) {
      const running = start(...args);
      running.child.stdin?.end(input);
      return running.ended;
    },
    terminal: (...args: readonly string[]) =>
      onTerminal([process.execPath, program, ...args].map(quoted).join(' ')),
    shell: (line: string) => run('bash', ['-c', withKw(line)]),
    shellTerminal: (line: string) => onTerminal(withKw(line)),
  });
}
