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
import { compiledModule } from './compiled-module.js';
import { permissionsFor } from './child-permissions.js';
import { openSpool, type Spool } from './child-source.js';

/** What has to be known to start a child: what it may read, and the limits that the system holds it to. */
export interface ChildKind {
  /** The compiled module of a task: the child may read the code around it. */
  readonly module: URL;
  /** Resident memory of the whole process, buffers included. */
  readonly memoryMb: number;
  /** The longest that the task may take. */
  readonly timeoutSeconds: number;
}

/** Hears what a child has to say. */
export interface Listener {
  onMessage(message: ChildMessage): void;
  onBytes(count: number): void;
}

/** A process that does one task after another. */
export interface Child {
  readonly process: ChildProcess;
  /** Where the source of a task goes, before it is asked. */
  readonly spool: Spool;
  /** How the process ended. */
  readonly closed: Promise<[code: number | null, killedBy: NodeJS.Signals | null]>;
  /** The tasks it has begun. */
  readonly tasks: number;
  /** Whether its limits are those of a kind, and what it has used up leaves enough for a task of it. */
  fits(kind: ChildKind): boolean;
  /** The end of what it wrote to its standard error. */
  lastWords(): string;
  ask(request: ChildRequest): void;
  /** Who hears it from now on. Null: nobody; a child that has something to say all the same is killed. */
  listen(listener: Listener | null): void;
  /** Notes what it was like after a task. */
  note(state: ChildState): void;
  /** Says whether this process is to go on as long as the child does. */
  hold(held: boolean): void;
  /** Kills it, if it still runs, and lets go of its source. */
  end(): Promise<void>;
}

export const hasEnded = ({ process: { exitCode, signalCode } }: Child): boolean =>
  exitCode !== null || signalCode !== null;

const program = compiledModule('child-main', import.meta.url);
/** The service itself comes first where both want a processor. */
const niceness = 5;

/** Starts a child, which has no environment, no native add-ons and no files but its own. It ends with this process. */
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
    // Below the limit, so that V8 collects garbage rather than being killed.
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
  // Who waits for it is told; until then it is no unhandled rejection.
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
    // It has just ended, or the system does not allow it: it works as it is.
  }
}

/**
 * Has the shell set the limits that the system itself enforces, then become the command. The limit of data covers all
 * private memory that can be written to, V8's heap and buffers alike (of address space V8 reserves far more than it
 * uses); it is above what is watched for, so that it stops only what grows between two looks. Where Linux can, it kills the child
 * when its parent is gone; elsewhere the limit of processor time ends it. Where the system runs out of memory, it is to end the
 * child before any other. What a system does not know is left out.
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

/** Keeps the end of what a stream says. */
function tail(stream: Readable): () => string {
  let kept = '';
  stream.setEncoding('utf8').on('data', (data: string) => (kept = (kept + data).slice(-4096)));
  return () => kept;
}
