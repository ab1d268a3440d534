import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { StackDescription } from '../../../runtime/embedded/data-dir.js';
import { dataPaths } from '../../../runtime/embedded/data-paths.js';
import { signal, type ProcessIdentity } from '../../../runtime/embedded/process-identity.js';
import { atExit } from '../at-exit.js';
import { eventually } from '../eventually.js';
import { createDatabase } from '../servers/postgres.js';
import { reservePort } from '../servers/ports.js';
import { startTemporal } from '../servers/temporal.js';
import { temporaryFolder } from '../temporary.js';

const top = fileURLToPath(new URL('../../..', import.meta.url));

/** The built `kw start`, and a version with stubs for API and worker. */
const programs = {
  real: [join(top, 'dist/bin/kw.js'), 'start'],
  stubs: [join(top, 'test/support/stubs/start.mjs')],
} as const;

export interface StackOptions {
  /** Settings in addition to KW_DATA_DIR and PORT, or replacing them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The data directory of an earlier stack, to continue with. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly services?: keyof typeof programs;
  /** The Node executable; default: that of this process. */
  readonly node?: string;
}

/**
 * Returns settings for a stack without its own PostgreSQL and Temporal: a new database and a new namespace on
 * the shared servers. It starts faster and uses less memory.
 */
export async function onSharedServers(): Promise<Readonly<Record<string, string>>> {
  const [database, temporal] = await Promise.all([createDatabase(), startTemporal()]);
  return { DATABASE_URL: database.url, ...temporal.env, KW_SECRET: 'a-secret-of-the-tests-alone' };
}

/** A whole service in separate processes with its own data directory. */
export interface TestStack {
  /** Base URL of the API. */
  readonly api: string;
  readonly adminKey: string;
  readonly dataDir: string;
  readonly port: number;
  /** Reads the current `stack.json`: pids change when a process is restarted. */
  readonly stack: () => StackDescription;
  /** Returns the output so far. */
  readonly output: () => string;
  /** Stops it like Ctrl-C, and returns the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Kills the supervisor's group without warning, like `kill -9`. */
  readonly kill9: () => Promise<void>;
}

/** A start that has ended or was not ready in time. */
export interface EndedStart {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a start that is expected to fail. */
export async function runStart(options: StackOptions = {}): Promise<EndedStart> {
  const { child, output, ended } = await launch(options);
  return { code: await ended(child), stdout: output.stdout, stderr: output.stderr };
}

/** Starts a stack and waits until it is ready. It is stopped at the end of the run at the latest. */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const { child, output, ended, dataDir, port } = await launch(options);
  const all = (): string => output.stdout + output.stderr;
  await eventually(
    () => {
      if (child.exitCode !== null) return 'ended';
      return all().includes('Ready after') && 'ready';
    },
    { timeoutMs: 300_000 },
  );
  if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${all()}`);
  const file = (name: string): string => readFileSync(join(dataDir, name), 'utf8');
  const stack = (): StackDescription => JSON.parse(file('stack.json')) as StackDescription;
  return {
    api: stack().api,
    adminKey: file('admin-key').trim(),
    dataDir,
    port,
    stack,
    output: all,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      return ended(child);
    },
    async kill9() {
      process.kill(-child.pid!, 'SIGKILL');
      await ended(child);
    },
  };
}

interface Launched {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: (child: ChildProcess) => Promise<number | null>;
  readonly dataDir: string;
  readonly port: number;
}

async function launch(options: StackOptions): Promise<Launched> {
  const dataDir = options.dataDir ?? join(temporaryFolder(), 'data');
  const port = options.port ?? (await reservePort());
  if (!existsSync(programs.real[0])) throw new Error('dist/ is missing: run "npm run build" first.');
  const child = spawn(options.node ?? process.execPath, [...programs[options.services ?? 'real']], {
    env: { ...withoutSettings(process.env), KW_DATA_DIR: dataDir, PORT: String(port), ...options.env },
    // Another folder, so that no .env is read.
    cwd: temporaryFolder(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  atExit(() => killAll(child, dataDir));
  return { child, output, ended: () => exit, dataDir, port };
}

/** Kills all processes if the run is interrupted or a test did not stop them. */
function killAll(supervisor: ChildProcess, dataDir: string): void {
  if (supervisor.exitCode === null) supervisor.kill('SIGKILL');
  const record = dataPaths(dataDir).processes;
  if (!existsSync(record)) return;
  const left = JSON.parse(readFileSync(record, 'utf8')) as Record<string, ProcessIdentity>;
  for (const identity of Object.values(left)) signal(identity, 'SIGKILL', 'group');
}

/** Removes the developer's own settings from a shell environment. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const keep = (name: string): boolean =>
    name === 'TEMPORAL_CLI_PATH' ||
    !/^(KW_|OTEL_|TEMPORAL_|DATABASE_URL$|HOST$|PORT$|NODE_OPTIONS$)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => keep(name)));
}
