import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { lightWeight } from '../../core/reading.js';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import type { ChildState, TaskEnd } from './child-messages.js';
import { createChildPool } from './child-pool.js';
import { hasEnded, type Child, type ChildKind } from './child-process.js';
import { watchMemory } from './memory-watch.js';
import { createRoom } from './room.js';

export interface ChildLimits extends Pick<ChildKind, 'memoryMb' | 'timeoutSeconds'> {
  /** Bytes of all messages together. */
  readonly outputBytes: number;
}

export interface ChildTask {
  /** The compiled module to run, see `compiledModule`; it exports a `Task`. */
  readonly module: URL;
  /** Anything JSON can hold; the child's task gets it. */
  readonly request: unknown;
  /**
   * Opens the bytes the child works on, once there is room for the task, and once more where it is begun again. They pass
   * through a temporary file, never through this process's memory as a whole.
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
  readonly onProgress?: (fraction: number, message: string) => void;
}

/** How many tasks that may take long run at once. */
export const childPlaces = Math.max(2, availableParallelism());
/** How many tasks beside them run at once that take a second or two at most. */
const lightPlaces = 1;

// A hundred files at once are not to become a hundred processes.
const room = createRoom(childPlaces, lightWeight);
const pool = createChildPool(childPlaces + lightPlaces);

/** Starts the processes that tasks of a kind are done in, so that the first need not wait for them. */
export const startChildrenAhead = pool.startAhead.bind(pool);

/**
 * Runs a task in another process, which a hostile input may exhaust or crash without harm to this one. The process has no
 * environment, loads no native add-ons, and is killed at its limits and when `signal` aborts. As many tasks run at once as
 * there are processors, two at least, and one that is light; further ones wait for their turn.
 *
 * A process does many tasks, one at a time. It ends after any that did not go well. A failure counts only in a process that
 * did nothing before: elsewhere the task is begun once more, in a new one.
 *
 * Returns the parts of the result that the task sent. Throws the PluginFailure that the task threw; a non-retryable one with
 * the code `<subject>_TIMED_OUT`, `<subject>_OUT_OF_MEMORY`, `<subject>_CRASHED` or OUTPUT_TOO_LARGE when it did not end
 * well; the signal's reason on abort.
 */
export async function runInChild(task: ChildTask): Promise<unknown[]> {
  return await room.run(task.weight ?? Infinity, async () => {
    const first = await attempt(task, 'any');
    const outcome = first ?? (await attempt(task, 'new'));
    if (outcome === null) throw new Error('A new process has done a task before.');
    return outcome;
  });
}

/** Null: the task failed in a process that had done others before. */
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

/** It has not seen its source, which can thus not be the reason: the task may be tried again. */
function endedEarly(child: Child): Error {
  const how = child.process.signalCode ?? `status ${String(child.process.exitCode)}`;
  return new Error(
    `The child process ended with ${how} before it had its task. ${child.lastWords()}`.trimEnd(),
  );
}

/** How a task failed by itself, which what its process did before may have to do with. */
class TaskFailure extends PluginFailure {}

type Stop = 'TIMED_OUT' | 'OUT_OF_MEMORY' | 'OUTPUT_TOO_LARGE' | 'ABORTED';

interface Done {
  readonly results: unknown[];
  readonly state: ChildState;
}

/** How a process ended. */
interface Exit {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

/** Has a child do a task, and watches it meanwhile. */
async function supervise(task: ChildTask, child: Child): Promise<Done> {
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

  const results: unknown[] = [];
  let bytes = 0;
  let end: TaskEnd | undefined;
  const ended = new Promise<void>((resolve) => {
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
    const exit = await Promise.race([ended, child.closed]);
    if (stopped === 'ABORTED') throw signal.reason;
    if (stopped) throw limitFailure(task, stopped);
    if (end?.kind === 'done') return { results, state: end.state };
    const grown = watch.peakBytes() > memoryBytes / 2;
    throw failureOf(task, end, {
      ...{ code: exit?.[0] ?? null, killedBy: exit?.[1] ?? null },
      ...{ grown, lastWords: child.lastWords() },
    });
  } finally {
    child.listen(null);
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
    watch.end();
  }
}

interface Death extends Exit {
  /** Whether it held more than half of the memory it might. */
  readonly grown: boolean;
  readonly lastWords: string;
}

/** Why a task that did not go well failed, as it said itself or as its process ended. */
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
 * SIGKILL that did not come from here is the system's, which is short of memory. V8 aborts with a message, or by a fault
 * where the system refuses it memory.
 */
function diedOfMemory({ killedBy, grown, lastWords }: Death): boolean {
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
  // Of its memory, what a process did before may hold some.
  const Failure = reason === 'OUT_OF_MEMORY' ? TaskFailure : PluginFailure;
  return new Failure(code, message, { retryable: false });
}
