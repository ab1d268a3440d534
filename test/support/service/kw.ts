import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { atExit } from '../at-exit.js';
import { temporaryFolder } from '../temporary.js';

const program = resolve('dist/bin/kw.js');

/** The exit code and output of a command. */
export interface KwResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface RunningKw {
  readonly child: ChildProcess;
  /** Its output so far. On a terminal, everything is in stdout. */
  readonly said: { stdout: string; stderr: string };
  /** Writes to the terminal, or to standard input without one. */
  type(text: string): void;
  readonly ended: Promise<KwResult>;
}

/** The built `kw`, with the settings of a user. */
export interface Kw {
  /** A separate folder in which it runs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end with pipes. */
  (...args: readonly string[]): Promise<KwResult>;
  /** Runs a command with this standard input. */
  fed(input: string | Uint8Array, ...args: readonly string[]): Promise<KwResult>;
  start(...args: readonly string[]): RunningKw;
  /** Runs a command on a terminal of 100 columns. */
  terminal(...args: readonly string[]): RunningKw;
  /** Runs a line of bash, with `kw` on the PATH. */
  shell(line: string): RunningKw;
  /** Runs a line of bash on a terminal. */
  shellTerminal(line: string): RunningKw;
}

/** @param env The service's KW_URL and KW_API_KEY, unless `kw` must find the service without them. */
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
