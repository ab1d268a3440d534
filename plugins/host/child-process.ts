import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  messagesFd,
  readLines,
  type ChildMessage,
  type ChildRequest,
  type ChildState,
} from './child-messages.js';
import { compiledModule } from '../../core/compiled-module.js';
import { permissionsFor } from './child-permissions.js';
import { openSpool, type Spool } from './child-source.js';

/** The parameters for starting a child: what it may read, and the limits that the system enforces. */
export interface ChildKind {
  /** The compiled module of a task. The child may read the code around it. */
  readonly module: URL;
  /** Maximum resident memory of the whole process, including buffers. */
  readonly memoryMb: number;
  /** Time limit of a task. */
  readonly timeoutSeconds: number;
}

export interface Listener {
  onMessage(message: ChildMessage): void;
  onBytes(count: number): void;
}

/** A process that executes one task after another. */
export interface Child {
  readonly process: ChildProcess;
  /** Receives the source of a task before the task is sent. */
  readonly spool: Spool;
  /** Resolves with how the process ended. */
  readonly closed: Promise<[code: number | null, killedBy: NodeJS.Signals | null]>;
  /** The number of tasks that it has begun. */
  readonly tasks: number;
  /** Whether its limits match a kind, and its remaining processor time is enough for a task of that kind. */
  fits(kind: ChildKind): boolean;
  /** The end of its standard error output. */
  lastWords(): string;
  ask(request: ChildRequest): void;
  /** Sets who receives its messages. With null, a child that still sends one is killed. */
  listen(listener: Listener | null): void;
  /** Records its state after a task. */
  note(state: ChildState): void;
  /** Sets whether the child keeps this process running. */
  hold(held: boolean): void;
  /** Kills it if it still runs, and releases its source. */
  end(): Promise<void>;
}

export const hasEnded = ({ process: { exitCode, signalCode } }: Child): boolean =>
  exitCode !== null || signalCode !== null;

const program = compiledModule('child-main', import.meta.url);
/** The worker, at 6, takes precedence over its children for processor time. */
const niceness = 9;

/** Starts a child with no environment, no native add-ons and no files but its own. It ends with this process. */
export async function startChild(kind: ChildKind): Promise<Child> {
  const spool = await openSpool();
  try {
    return launch(kind, spool);
  } catch (error) {
    await spool.close();
    throw error;
  }
}

function launch(kind: ChildKind, spool: Spool): Child {
  const permissions = permissionsFor(kind.module);
  const processorSeconds = 4 * Math.max(300, kind.timeoutSeconds);
  const node = [
    process.execPath,
    // Below the memory limit, so that V8 collects garbage before the child is killed.
    `--max-old-space-size=${Math.floor(kind.memoryMb * 0.75)}`,
    '--no-addons',
    '--disallow-code-generation-from-strings',
    ...permissions,
    fileURLToPath(program),
  ];
  const [command, ...args] = withSystemLimits(node, kind.memoryMb, processorSeconds);
  const child = spawn(command as string, args, {
    stdio: ['pipe', 'ignore', 'pipe', spool.fd, 'pipe'],
    env: {},
    windowsHide: true,
  });
  const closed = once(child, 'close') as Child['closed'];
  // Callers that await it see the error; until then it must not be an unhandled rejection.
  closed.catch(() => undefined);
  child.stdin?.on('error', () => undefined);
  giveWay(child);
  const lastWords = tail(child.stderr as Readable);
  const messages = child.stdio[messagesFd] as Readable;
  let listener: Listener | null = null;
  let tasks = 0;
  let usedSeconds = 0;
  readLines(
    messages,
    (line) => {
      if (listener === null) child.kill('SIGKILL');
      else listener.onMessage(JSON.parse(line) as ChildMessage);
    },
    (count) => listener?.onBytes(count),
  );
  return {
    process: child,
    spool,
    closed,
    get tasks() {
      return tasks;
    },
    fits: ({ module, memoryMb, timeoutSeconds }) =>
      memoryMb === kind.memoryMb &&
      processorSeconds - usedSeconds >= 2 * timeoutSeconds &&
      permissionsFor(module).join() === permissions.join(),
    lastWords,
    ask(request) {
      if (request.task !== undefined) tasks += 1;
      child.stdin?.write(`${JSON.stringify(request)}\n`);
    },
    listen: (next) => (listener = next),
    note: (state) => (usedSeconds = state.processorSeconds),
    hold: (held) => {
      const handles = [child, child.stdin, child.stderr, messages] as unknown as Socket[];
      for (const handle of handles) handle[held ? 'ref' : 'unref']();
    },
    end: async () => {
      child.kill('SIGKILL');
      await spool.close();
    },
  };
}

function giveWay({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // The child has just ended, or the system does not allow it. It keeps its priority.
  }
}

/**
 * Returns a shell command that sets limits that the system itself enforces, then becomes the given command. The data
 * limit covers all writable private memory, V8's heap and buffers alike (V8 reserves far more address space than it
 * uses). It is above the watched limit, so that it stops only what grows between two checks. If Linux allows it, the
 * child is killed when its parent ends; otherwise the limit of processor time ends it. If the system runs out of
 * memory, it kills the child first. Limits that a system does not know are omitted.
 */
function withSystemLimits(
  command: readonly string[],
  memoryMb: number,
  processorSeconds: number,
): readonly string[] {
  if (process.platform === 'win32') return command;
  const script =
    '{ echo 1000 >/proc/$$/oom_score_adj; } 2>/dev/null; ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; ' +
    'if setpriv --pdeathsig KILL true 2>/dev/null; then exec setpriv --pdeathsig KILL "$@"; else exec "$@"; fi';
  const dataKb = Math.ceil(memoryMb * 1024 * 1.25);
  return ['/bin/sh', '-c', script, 'sh', String(dataKb), String(processorSeconds), ...command];
}

/** Returns a function that returns the end of a stream's output. */
function tail(stream: Readable): () => string {
  let kept = '';
  stream.setEncoding('utf8').on('data', (data: string) => (kept = (kept + data).slice(-4096)));
  return () => kept;
}
