import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messagesFd } from './child-messages.js';
import { permissionsFor } from './child-permissions.js';
import { openSpool, type Spool } from './child-source.js';

/** What has to be known to start a child: what it runs, and the limits that the system holds it to. */
export interface ChildKind {
  readonly module: URL;
  /** What it may load before it is asked for anything. */
  readonly preparation: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
}

/** A process that waits for the one task it will do. */
export interface WaitingChild {
  readonly process: ChildProcess;
  /** Where its source goes, before it is asked. */
  readonly spool: Spool;
  /** How the process ended. */
  readonly closed: Promise<[code: number | null, killedBy: NodeJS.Signals | null]>;
  readonly messages: Readable;
  /** The end of what it wrote to its standard error. */
  lastWords(): string;
  ask(request: unknown): void;
  /** Says whether this process is to go on as long as the child does. */
  hold(held: boolean): void;
  /** Kills it, if it still runs, and lets go of its source. */
  end(): Promise<void>;
}

export const hasEnded = ({ process: { exitCode, signalCode } }: WaitingChild): boolean =>
  exitCode !== null || signalCode !== null;

/** Starts a child, which has no environment, no native add-ons and no files but its own. Without a request it ends with this process. */
export async function startChild(kind: ChildKind): Promise<WaitingChild> {
  const spool = await openSpool();
  try {
    return launch(kind, spool);
  } catch (error) {
    await spool.close();
    throw error;
  }
}

function launch(kind: ChildKind, spool: Spool): WaitingChild {
  const path = fileURLToPath(kind.module);
  const node = [
    process.execPath,
    // Below the limit, so that V8 collects garbage rather than being killed.
    `--max-old-space-size=${Math.floor(kind.memoryMb * 0.75)}`,
    '--no-addons',
    '--disallow-code-generation-from-strings',
    ...(path.endsWith('.ts')
      ? ['--import', pathToFileURL(createRequire(kind.module).resolve('tsx')).href]
      : permissionsFor(kind.module)),
    path,
    kind.preparation,
  ];
  const [command, ...args] = withSystemLimits(node, kind);
  const child = spawn(command as string, args, {
    stdio: ['pipe', 'ignore', 'pipe', spool.fd, 'pipe'],
    env: {},
    windowsHide: true,
  });
  const closed = once(child, 'close') as WaitingChild['closed'];
  // Who waits for it is told; until then it is no unhandled rejection.
  closed.catch(() => undefined);
  child.stdin?.on('error', () => undefined);
  const lastWords = tail(child.stderr as Readable);
  return {
    process: child,
    spool,
    closed,
    messages: child.stdio[messagesFd] as Readable,
    lastWords,
    ask: (request) => child.stdin?.end(JSON.stringify(request)),
    hold: (held) => {
      const handles = [child, child.stdin, child.stderr, child.stdio[messagesFd]] as unknown as Socket[];
      for (const handle of handles) handle[held ? 'ref' : 'unref']();
    },
    end: async () => {
      child.kill('SIGKILL');
      await spool.close();
    },
  };
}

/**
 * Has the shell set the limits that the system itself enforces, then become the command. The limit of data covers all
 * private memory that can be written to, V8's heap and buffers alike (of address space V8 reserves far more than it
 * uses); it is above what is watched for, so that it stops only what grows between two looks. The limit of processor
 * time ends a child that outlives its parent. Where the system runs out of memory, it is to end the child before any other. What
 * a system does not know is left out.
 */
function withSystemLimits(command: readonly string[], kind: ChildKind): readonly string[] {
  if (process.platform === 'win32') return command;
  const script =
    '{ echo 1000 >/proc/$$/oom_score_adj; } 2>/dev/null; ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"';
  const processorSeconds = Math.ceil(kind.timeoutSeconds * 2);
  return [
    '/bin/sh',
    '-c',
    script,
    'sh',
    String(Math.ceil(kind.memoryMb * 1024 * 1.25)),
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
