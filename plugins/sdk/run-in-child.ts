import { existsSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { OutputLimitExceeded, readMessages, type ChildMessage } from './child-messages.js';
import { hasEnded, type WaitingChild } from './child-process.js';
import { PluginFailure } from './define-plugin.js';
import { watchMemory } from './memory-watch.js';
import { createRoom } from './room.js';
import { keepSpare, takeChild } from './spare-children.js';

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
  /** What the child may load while its source is on its way, if its module knows that; see `serveTask`. */
  readonly preparation?: string;
  /**
   * Opens the bytes the child works on, once there is room for the child. They pass through a temporary file, never
   * through this process's memory as a whole.
   */
  readonly input: () => Promise<Readable>;
  readonly limits: ChildLimits;
  /**
   * The bytes of an input that is known to take time in proportion to them, about a second for each MiB. What weighs at most
   * `lightWeight` never waits for what may take long.
   */
  readonly weight?: number;
  readonly signal: AbortSignal;
  /** The codes `<subject>_TIMED_OUT`, `<subject>_OUT_OF_MEMORY` and `<subject>_CRASHED` are made of it. */
  readonly subject: string;
  readonly onMessage: (body: unknown) => void;
}

/** The top of the project, or of what the build made of it. */
const top = new URL('../../', import.meta.url);

/**
 * The address of a module beside the one whose `import.meta.url` is given. Of a module that is not compiled it is what
 * the build made of its neighbour, where there is that: a child that compiles first would take longer than its task.
 */
export function childModule(name: string, beside: string): URL {
  if (!beside.endsWith('.ts')) return new URL(`./${name}.js`, beside);
  const source = new URL(`./${name}.ts`, beside);
  const compiled = new URL(`dist/${source.href.slice(top.href.length).replace(/ts$/, 'js')}`, top);
  return existsSync(compiled) ? compiled : source;
}

/** Work that takes a second or two at most. */
export const lightWeight = 1024 * 1024;

// A hundred files at once are not to become a hundred processes.
const room = createRoom(Math.max(2, availableParallelism()), lightWeight);

type Stop = 'TIMED_OUT' | 'OUT_OF_MEMORY' | 'OUTPUT_TOO_LARGE' | 'ABORTED';

/**
 * Runs a task in a process of its own, which a hostile input may exhaust or crash without harm to this one. The
 * process has no environment, loads no native add-ons and is killed at its limits and when `signal` aborts. As many
 * run at once as there are processors, two at least, and one that is light; further tasks wait for their turn. A process serves one task; while
 * none waits, another of the same kind is kept ready for a minute.
 *
 * Throws the PluginFailure that the task threw; a non-retryable one with the code `<subject>_TIMED_OUT`,
 * `<subject>_OUT_OF_MEMORY`, `<subject>_CRASHED` or OUTPUT_TOO_LARGE when it did not end well; the signal's reason on abort.
 */
export async function runInChild(task: ChildTask): Promise<void> {
  await room.run(task.weight ?? Infinity, async () => {
    const { module, preparation = '', limits, signal } = task;
    signal.throwIfAborted();
    const kind = { module, preparation, memoryMb: limits.memoryMb, timeoutSeconds: limits.timeoutSeconds };
    // It starts while its source is still on its way.
    const child = await takeChild(kind);
    try {
      await child.spool.fill(await task.input(), signal);
      if (hasEnded(child)) throw endedEarly(child);
      if ((task.weight ?? Infinity) > lightWeight) giveWay(child);
      await supervise(task, child);
    } finally {
      await child.end();
    }
    // Where others wait, the next child is one with a task.
    if (!room.isFull()) keepSpare(kind);
  });
}

/** Has the system run the service itself, and light work, before a child that may take long. */
function giveWay({ process: { pid } }: WaitingChild): void {
  try {
    if (pid !== undefined) setPriority(pid, 10);
  } catch {
    // It has just ended, or the system does not allow it: it works as it is.
  }
}

/** It has not seen its source, which can thus not be the reason: the task may be tried again. */
function endedEarly(child: WaitingChild): Error {
  const how = child.process.signalCode ?? `status ${String(child.process.exitCode)}`;
  return new Error(
    `The child process ended with ${how} before it had its task. ${child.lastWords()}`.trimEnd(),
  );
}

async function supervise(task: ChildTask, child: WaitingChild): Promise<void> {
  const { limits, signal } = task;
  let stopped: Stop | undefined;
  const stop = (reason: Stop): void => {
    stopped ??= reason;
    child.process.kill('SIGKILL');
  };
  const onAbort = (): void => stop('ABORTED');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => stop('TIMED_OUT'), limits.timeoutSeconds * 1000);
  const memoryBytes = limits.memoryMb * 1024 * 1024;
  const watch = watchMemory(child.process.pid ?? 0, memoryBytes, () => stop('OUT_OF_MEMORY'));

  let last: ChildMessage | undefined;
  const reading = readMessages(child.messages, limits.outputBytes, (message) => {
    if (message.kind === 'message') task.onMessage(message.body);
    else last = message;
  }).catch((error: unknown) => {
    stop(error instanceof OutputLimitExceeded ? 'OUTPUT_TOO_LARGE' : 'ABORTED');
    if (!(error instanceof OutputLimitExceeded)) throw error;
  });
  child.ask(task.request);
  try {
    const [[code, killedBy]] = await Promise.all([child.closed, reading]);
    if (stopped === 'ABORTED') throw signal.reason;
    if (stopped) throw limitFailure(task, stopped);
    const grown = watch.peakBytes() > memoryBytes / 2;
    settle(task, last, { code, killedBy, grown, lastWords: child.lastWords() });
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
    watch.end();
  }
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
