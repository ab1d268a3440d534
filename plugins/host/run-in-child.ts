import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { lightWeight } from '../../core/documents/reading.js';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import type { ChildState, TaskEnd } from './child-messages.js';
import { createChildPool } from './child-pool.js';
import { hasEnded, type Child, type ChildKind } from './child-process.js';
import { watchMemory } from './memory-watch.js';
import { createTaskLimiter } from './limiter.js';
import { watchTime } from './time-watch.js';

export interface ChildLimits extends Pick<ChildKind, 'memoryMb' | 'timeoutSeconds'> {
  /** Maximum bytes of all messages together. */
  readonly outputBytes: number;
}

export interface ChildTask {
  /** The compiled module to run, see `compiledModule`; exports a `Task`. */
  readonly module: URL;
  /** Any JSON value, passed to the child's task. */
  readonly request: unknown;
  /**
   * Opens the child's input once the task may start, and again if the task is retried. The bytes pass through a
   * temporary file and are never in this process's memory as a whole.
   */
  readonly input: () => Promise<Readable>;
  readonly limits: ChildLimits;
  /**
   * The size in bytes of an input whose processing time is known to be proportional to it, about a second per MiB.
   * Tasks of at most `lightWeight` never wait for long ones.
   */
  readonly weight?: number;
  readonly signal: AbortSignal;
  /** The prefix of the codes `<subject>_TIMED_OUT`, `<subject>_OUT_OF_MEMORY` and `<subject>_CRASHED`. */
  readonly subject: string;
  readonly onProgress?: (fraction: number, message: string) => void;
}

/** Maximum number of concurrent tasks of any length. */
export const childPlaces = Math.max(2, availableParallelism());
/** Maximum number of additional concurrent tasks that take at most a second or two. */
const lightPlaces = 1;

// Limits the number of processes when a hundred files arrive at once.
const limiter = createTaskLimiter(childPlaces, lightWeight);
const pool = createChildPool(childPlaces + lightPlaces);

/** Starts a process for tasks of a kind in advance, so that the first task need not wait. */
export const startChildrenAhead = pool.startAhead.bind(pool);

/**
 * Runs a task in another process, so that a hostile input cannot exhaust or crash this one. The process has no
 * environment, loads no native add-ons, and is killed at its limits and when `signal` aborts. At the time limit, a process
 * that has used the processor for less than half of it continues until it has. The number of concurrent tasks is the
 * number of processors, at least two, plus one light task; further tasks wait for their turn.
 *
 * A process is reused for many tasks, one at a time, and ends after any task that went wrong. A failure counts only in
 * a new process: in a reused one, the task is retried once in a new process.
 *
 * Returns the parts of the result that the task sent. Throws the task's PluginFailure; a non-retryable one with the
 * code `<subject>_TIMED_OUT`, `<subject>_OUT_OF_MEMORY`, `<subject>_CRASHED` or OUTPUT_TOO_LARGE if the process failed;
 * or the signal's reason.
 */
export async function runInChild(task: ChildTask): Promise<unknown[]> {
  return await limiter.run(task.weight ?? Infinity, task.signal, async () => {
    const first = await attempt(task, 'any');
    const outcome = first ?? (await attempt(task, 'new'));
    if (outcome === null) throw new Error('A new process had already executed a task.');
    return outcome;
  });
}

/** Returns null if the task failed in a process that had executed other tasks before. */
async function attempt(task: ChildTask, which: 'any' | 'new'): Promise<unknown[] | null> {
  const { module, limits, signal } = task;
  const { memoryMb, timeoutSeconds } = limits;
  signal.throwIfAborted();
  let results: unknown[] | null = null;
  await pool.use({ module, memoryMb, timeoutSeconds }, which, async (child) => {
    const isNew = child.tasks === 0;
    await child.spool.fill(await task.input(), signal);
    if (hasEnded(child)) {
      if (which === 'new') throw endedEarly(child);
      return null;
    }
    try {
      const done = await supervise(task, child);
      await child.spool.empty();
      results = done.results;
      return done.state;
    } catch (error) {
      if (isNew || !(error instanceof TaskFailure)) throw error;
      return null;
    }
  });
  return results;
}

/** The process has not seen its source, which therefore cannot be the cause: the task may be retried. */
function endedEarly(child: Child): Error {
  const how = child.process.signalCode ?? `status ${String(child.process.exitCode)}`;
  return new Error(
    `The child process ended with ${how} before it received its task. ${child.lastWords()}`.trimEnd(),
  );
}

/** A failure of the task that earlier tasks of its process may have caused. */
class TaskFailure extends PluginFailure {}

type Stop = 'TIMED_OUT' | 'OUT_OF_MEMORY' | 'OUTPUT_TOO_LARGE' | 'ABORTED';

/** Sends a task to a child and watches the child until it has ended. */
async function supervise(
  task: ChildTask,
  child: Child,
): Promise<{ readonly results: unknown[]; readonly state: ChildState }> {
  const { limits, signal } = task;
  let stopped: Stop | undefined;
  const stop = (reason: Stop): void => {
    stopped ??= reason;
    child.process.kill('SIGKILL');
  };
  const onAbort = (): void => stop('ABORTED');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const { pid = 0 } = child.process;
  const time = watchTime(pid, limits.timeoutSeconds, () => stop('TIMED_OUT'));
  const memoryBytes = limits.memoryMb * 1024 * 1024;
  const memory = watchMemory(pid, memoryBytes, () => stop('OUT_OF_MEMORY'));

  const results: unknown[] = [];
  let bytes = 0;
  let end: TaskEnd | undefined;
  const ended = new Promise<undefined>((resolve) => {
    child.listen({
      onBytes: (count) => {
        bytes += count;
        if (bytes > limits.outputBytes) stop('OUTPUT_TOO_LARGE');
      },
      onMessage: (message) => {
        if (message.kind === 'result') results.push(message.body);
        else if (message.kind === 'progress') task.onProgress?.(message.fraction, message.message);
        else resolve(void (end = message));
      },
    });
  });
  child.ask({ module: task.module.href, task: { request: task.request } });
  try {
    const [code = null, killedBy = null] = (await Promise.race([ended, child.closed])) ?? [];
    if (stopped === 'ABORTED') throw signal.reason;
    if (stopped) throw limitFailure(task, stopped);
    if (end?.kind === 'done') return { results, state: end.state };
    const grown = memory.peakBytes() > memoryBytes / 2;
    throw failureOf(task, end, { code, killedBy, grown, lastWords: child.lastWords() });
  } finally {
    child.listen(null);
    signal.removeEventListener('abort', onAbort);
    time.end();
    memory.end();
  }
}

interface Death {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** Whether it held more than half of its memory limit. */
  readonly grown: boolean;
  readonly lastWords: string;
}

/** Returns the error of a failed task, from the child's own message or from how the process ended. */
function failureOf(
  task: ChildTask,
  end: Exclude<TaskEnd, { kind: 'done' }> | undefined,
  death: Death,
): Error {
  if (end?.kind === 'failure') {
    const { code, message, retryable, details } = end;
    return new TaskFailure(code, message, { retryable, ...(details && { details }) });
  }
  if (end?.kind === 'out-of-memory' || (end === undefined && diedOfMemory(death)))
    return limitFailure(task, 'OUT_OF_MEMORY');
  const { code, killedBy } = death;
  if (killedBy === 'SIGXCPU') return limitFailure(task, 'TIMED_OUT');
  if (killedBy === 'SIGTERM' || killedBy === 'SIGINT' || killedBy === 'SIGHUP')
    return new Error(`The child process was killed by ${killedBy}`);
  const how = end?.message ?? `the process ended with ${killedBy ?? `status ${String(code)}`}`;
  return new TaskFailure(`${task.subject}_CRASHED`, `The file could not be processed: ${how}`, {
    retryable: false,
  });
}

/**
 * A SIGKILL that this process did not send comes from the system when it is out of memory. If the system refuses
 * memory, V8 aborts with a message or faults.
 */
function diedOfMemory({ killedBy, grown, lastWords }: Death): boolean {
  if (killedBy === 'SIGKILL' || /out of memory|bad_alloc|\bOOM\b|allocation fail/i.test(lastWords))
    return true;
  return grown && ['SIGSEGV', 'SIGABRT', 'SIGTRAP', 'SIGBUS'].includes(killedBy ?? '');
}

function limitFailure({ subject, limits }: ChildTask, reason: Exclude<Stop, 'ABORTED'>): PluginFailure {
  const failures = {
    TIMED_OUT: [`${subject}_TIMED_OUT`, `Took longer than ${limits.timeoutSeconds} seconds`],
    OUT_OF_MEMORY: [`${subject}_OUT_OF_MEMORY`, `Needed more than ${limits.memoryMb} MiB of memory`],
    OUTPUT_TOO_LARGE: ['OUTPUT_TOO_LARGE', 'Produced more output than allowed'],
  } as const;
  const [code, message] = failures[reason];
  // Earlier tasks may have left memory in use.
  const Failure = reason === 'OUT_OF_MEMORY' ? TaskFailure : PluginFailure;
  return new Failure(code, message, { retryable: false });
}
