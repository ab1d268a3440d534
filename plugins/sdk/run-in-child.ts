import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { OutputLimitExceeded, readMessages, type ChildMessage } from './child-messages.js';
import { spool } from './child-source.js';
import { PluginFailure } from './define-plugin.js';
import { watchMemory } from './memory-watch.js';

export interface ChildLimits {
  /** Resident memory of the whole process, buffers included. */
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Bytes of all messages together. */
  readonly outputBytes: number;
}

export interface ChildTask {
  /** The module to run, see `childModule`; it calls `serveTask`. */
  readonly module: URL;
  /** Anything JSON can hold; the child's task gets it. */
  readonly request: unknown;
  /**
   * Opens the bytes the child works on, once there is room for the child. They pass through a temporary file, never
   * through this process's memory as a whole.
   */
  readonly input: () => Promise<Readable>;
  readonly limits: ChildLimits;
  readonly signal: AbortSignal;
  /** The codes `<subject>_TIMED_OUT`, `<subject>_OUT_OF_MEMORY` and `<subject>_CRASHED` are made of it. */
  readonly subject: string;
  readonly onMessage: (body: unknown) => void;
}

/** The address of a module beside the one whose `import.meta.url` is given, compiled or not as that one is. */
export function childModule(name: string, beside: string): URL {
  return new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside);
}

// A hundred files at once are not to become a hundred processes.
const room = pLimit(Math.max(2, availableParallelism()));

type Stop = 'TIMED_OUT' | 'OUT_OF_MEMORY' | 'OUTPUT_TOO_LARGE' | 'ABORTED';

/**
 * Runs a task in a process of its own, which a hostile input may exhaust or crash without harm to this one. The
 * process has no environment, loads no native add-ons and is killed at its limits and when `signal` aborts. As many
 * run at once as there are processors, two at least; further tasks wait for their turn.
 *
 * Throws the PluginFailure that the task threw; a non-retryable one with the code `<subject>_TIMED_OUT`,
 * `<subject>_OUT_OF_MEMORY`, `<subject>_CRASHED` or OUTPUT_TOO_LARGE when it did not end well; the signal's reason on abort.
 */
export async function runInChild(task: ChildTask): Promise<void> {
  await room(async () => {
    task.signal.throwIfAborted();
    const source = await spool(await task.input(), task.signal);
    try {
      await supervise(task, source.fd);
    } finally {
      await source.close();
    }
  });
}

async function supervise(task: ChildTask, source: number): Promise<void> {
  const { limits, signal } = task;
  const child = start(task, source);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;

  let stopped: Stop | undefined;
  const stop = (reason: Stop): void => {
    stopped ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = (): void => stop('ABORTED');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => stop('TIMED_OUT'), limits.timeoutSeconds * 1000);
  const memoryBytes = limits.memoryMb * 1024 * 1024;
  const watch = watchMemory(child.pid ?? 0, memoryBytes, () => stop('OUT_OF_MEMORY'));

  const lastWords = tail(child.stderr as Readable);
  let last: ChildMessage | undefined;
  const reading = readMessages(child.stdio[4] as Readable, limits.outputBytes, (message) => {
    if (message.kind === 'message') task.onMessage(message.body);
    else last = message;
  }).catch((error: unknown) => {
    stop(error instanceof OutputLimitExceeded ? 'OUTPUT_TOO_LARGE' : 'ABORTED');
    if (!(error instanceof OutputLimitExceeded)) throw error;
  });
  try {
    const [[code, killedBy]] = await Promise.all([closed, reading]);
    if (stopped === 'ABORTED') throw signal.reason;
    if (stopped) throw limitFailure(task, stopped);
    const grown = watch.peakBytes() > memoryBytes / 2;
    settle(task, last, { code, killedBy, grown, lastWords: lastWords() });
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
    watch.end();
  }
}

function start({ module, request, limits }: ChildTask, source: number): ChildProcess {
  const path = fileURLToPath(module);
  const node = [
    process.execPath,
    // Below the limit, so that V8 collects garbage rather than being killed.
    `--max-old-space-size=${Math.floor(limits.memoryMb * 0.75)}`,
    '--no-addons',
    '--disallow-code-generation-from-strings',
    ...(path.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href] : []),
    path,
  ];
  const [command, ...args] = withSystemLimits(node, limits);
  const child = spawn(command as string, args, {
    stdio: ['pipe', 'ignore', 'pipe', source, 'pipe'],
    env: {},
    windowsHide: true,
  });
  child.stdin?.on('error', () => undefined).end(JSON.stringify(request));
  return child;
}

/**
 * Has the shell set the limits that the system itself enforces, then become the command. The limit of data covers all
 * private memory that can be written to, V8's heap and buffers alike (of address space V8 reserves far more than it
 * uses); it is above what is watched for, so that it stops only what grows between two looks. The limit of processor
 * time ends a child that outlives its parent. What a system does not know is left out.
 */
function withSystemLimits(command: readonly string[], limits: ChildLimits): readonly string[] {
  if (process.platform === 'win32') return command;
  const script = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"';
  const processorSeconds = Math.ceil(limits.timeoutSeconds * 2);
  return [
    '/bin/sh',
    '-c',
    script,
    'sh',
    String(Math.ceil(limits.memoryMb * 1024 * 1.25)),
    String(processorSeconds),
    ...command,
  ];
}

/** Keeps the end of what a stream says. */
function tail(stream: Readable): () => string {
  let kept = '';
  stream.setEncoding('utf8').on('data', (data: string) => (kept = (kept + data).slice(-4096)));
  return () => kept;
}

interface End {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** Whether it held more than half of the memory it might. */
  readonly grown: boolean;
  readonly lastWords: string;
}

/** Throws unless the child has said that it is done. */
function settle(
  task: ChildTask,
  last: ChildMessage | undefined,
  { code, killedBy, grown, lastWords }: End,
): void {
  if (last?.kind === 'done') return;
  if (last?.kind === 'failure') {
    const { retryable, details } = last;
    throw new PluginFailure(last.code, last.message, { retryable, ...(details && { details }) });
  }
  if (last?.kind === 'out-of-memory' || diedOfMemory(killedBy, grown, lastWords)) {
    throw limitFailure(task, 'OUT_OF_MEMORY');
  }
  if (killedBy === 'SIGXCPU') throw limitFailure(task, 'TIMED_OUT');
  if (killedBy === 'SIGTERM' || killedBy === 'SIGINT' || killedBy === 'SIGHUP') {
    throw new Error(`The child process was ended by ${killedBy}`);
  }
  const how =
    last?.kind === 'crash' ? last.message : `the process ended with ${killedBy ?? `status ${String(code)}`}`;
  throw new PluginFailure(`${task.subject}_CRASHED`, `The file could not be processed: ${how}`, {
    retryable: false,
  });
}

/**
 * SIGKILL that did not come from here is the system's, which is short of memory. V8 aborts with a message, or by a fault
 * where the system refuses it memory.
 */
function diedOfMemory(killedBy: NodeJS.Signals | null, grown: boolean, lastWords: string): boolean {
  if (killedBy === 'SIGKILL' || /out of memory|bad_alloc|\bOOM\b|allocation fail/i.test(lastWords))
    return true;
  return (
    grown &&
    (killedBy === 'SIGSEGV' || killedBy === 'SIGABRT' || killedBy === 'SIGTRAP' || killedBy === 'SIGBUS')
  );
}

function limitFailure({ subject, limits }: ChildTask, reason: Exclude<Stop, 'ABORTED'>): PluginFailure {
  const failures = {
    TIMED_OUT: [`${subject}_TIMED_OUT`, `Took longer than ${limits.timeoutSeconds} seconds`],
    OUT_OF_MEMORY: [`${subject}_OUT_OF_MEMORY`, `Needed more than ${limits.memoryMb} MiB of memory`],
    OUTPUT_TOO_LARGE: ['OUTPUT_TOO_LARGE', 'Produced more output than allowed'],
  } as const;
  const [code, message] = failures[reason];
  return new PluginFailure(code, message, { retryable: false });
}
