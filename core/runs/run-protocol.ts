import type { RunRef } from './refs.js';
import type { FinalStatus, PluginKind } from '../states.js';
import type { CleanUpActivityMessage } from '@knowledge-warehouse/plugin/protocol';

/**
 * One step of a run's snapshot, as passed to the workflow: the limits from the pipeline and the address of
 * its plugin. It contains no config and no secret.
 */
export interface StepSnapshot {
  readonly index: number;
  readonly plugin_id: string;
  readonly kind: PluginKind;
  /** Of an activity plugin. */
  readonly task_queue: string | null;
  /** Of an activity plugin. */
  readonly activity_type: string | null;
  /** Of an HTTP plugin. */
  readonly endpoint: string | null;
  readonly heartbeat_seconds: number | null;
  readonly max_attempts: number;
  readonly backoff_seconds: number;
  readonly timeout_seconds: number;
}

/** The input of the workflow `processResource`. */
export interface ProcessResourceInput extends RunRef {
  readonly steps: readonly StepSnapshot[];
  /** The first instruction. Omitted: the workflow asks for it. */
  readonly first?: RunInstruction;
}

/** What is needed to start a run's workflow. */
export interface RunStart {
  readonly name: string;
  readonly type: string;
  readonly steps: readonly StepSnapshot[];
  /**
   * The index of the step that the run can start with directly. Null: the run must ask first, because its
   * source must still be fetched, the plugin is inactive or runs elsewhere, or the step was begun before.
   */
  readonly begins: number | null;
  /** The queue in which that step waits for a child process; null: it needs none. */
  readonly queue: ReadingQueue | null;
}

/** The registered names of workflows, their signals and their query. */
export const workflowNames = {
  processResource: 'processResource',
  cleanUpResource: 'cleanUpResource',
  runOperation: 'runOperation',
  stepReported: 'stepReported',
  cleanUpNoted: 'cleanUpNoted',
  progress: 'progress',
} as const;

/** The memo key for the id of the originating request. */
export const requestIdMemo = 'request_id';

/** The task queue of Core's workflows and of its short activities. Built-in plugins are registered on it. */
export const coreTaskQueue = 'kw-core';

/**
 * The task queues of steps that read or chunk documents. A worker takes only as many tasks as it has slots
 * for. A step therefore waits in its queue, where its timeout does not run.
 */
export const readingQueues = {
  short: 'kw-core-short-texts',
  light: 'kw-core-texts',
  heavy: 'kw-core-documents',
} as const;

export type ReadingQueue = (typeof readingQueues)[keyof typeof readingQueues];

/**
 * The task queues of activities that wait for other servers. Each has its own slots, so calls that hang in one queue do
 * not delay those in another (decision 185).
 */
export const callingQueues = {
  /** Steps of HTTP plugins. */
  plugins: 'kw-core-plugins',
  /** Cancellations and clean-ups for HTTP plugins. */
  messages: 'kw-core-messages',
  /** Downloads of sources. */
  sources: 'kw-core-sources',
  /** Built-in plugins other than those that read documents. */
  services: 'kw-core-services',
} as const;

export type CallingQueue = (typeof callingQueues)[keyof typeof callingQueues];

/** The task queues in which a step waits for a free slot of a worker. */
export type SlotQueue = ReadingQueue | CallingQueue;

/** All task queues of Core. Each of its workers polls them all. */
export const coreQueues: readonly string[] = [
  coreTaskQueue,
  ...Object.values(readingQueues),
  ...Object.values(callingQueues),
];

export const isReadingQueue = (name: unknown): name is ReadingQueue =>
  Object.values(readingQueues).some((each) => each === name);

/** Whether a task queue is one of Core's own. */
export const isCoreQueue = (name: string | null): boolean => name !== null && coreQueues.includes(name);

/**
 * The queue whose pollers show that workers of a task queue are there: Core's workers keep polling `kw-core`, but stop
 * polling another queue while all its slots are taken.
 */
export const polledQueue = (name: string): string => (isCoreQueue(name) ? coreTaskQueue : name);

export const isSlotQueue = (name: string): name is SlotQueue => name !== coreTaskQueue && isCoreQueue(name);

/**
 * The input of the workflow `cleanUpResource`: runs after a resource's deletion or, with `run`, after that
 * run left artifacts out.
 */
export interface CleanUpResourceInput {
  readonly resourceId: string;
  readonly run?: number;
}

/**
 * The id of the workflow that removes external data of a deleted resource, or of a run that left artifacts
 * out.
 */
export function cleanUpWorkflowId({ resourceId, run }: CleanUpResourceInput): string {
  return run === undefined ? `resource-${resourceId}-clean-up` : `resource-${resourceId}-run-${run}-clean-up`;
}

/** External data that a plugin must remove, as the clean-up workflow requests it. */
export interface CleanUpTask {
  readonly id: string;
  readonly plugin_id: string;
  /** The clean-up activity of an activity plugin. Core calls HTTP plugins itself. */
  readonly activity: {
    readonly task_queue: string;
    readonly type: string;
    readonly message: CleanUpActivityMessage;
  } | null;
}

/** The argument of the signal `stepReported`. It only wakes the workflow; the attempt's row decides. */
export interface StepReported {
  readonly index: number;
  readonly attempt: number;
}

/** The answer of the query `progress`. */
export interface RunProgress {
  /** The index of the active step; null before the first and after the last. */
  readonly step: number | null;
  readonly doing: 'STARTING' | 'FETCHING' | 'RUNNING' | 'PAUSING' | 'WAITING_FOR_CALLBACK' | 'ENDED';
  /** Attempts used before the active one. */
  readonly attemptBase: number;
}

/** Why an activity ended without a result, as far as the workflow can tell. */
export interface AttemptFailure {
  /** A code from the plugin or from Core. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The attempt's number in the step, or null if unknown. */
  readonly attempt: number | null;
  readonly retryable: boolean;
  /** Temporal gave up because the attempts ran out. */
  readonly exhausted: boolean;
  readonly cause: 'ERROR' | 'TIMED_OUT' | 'INTERRUPTED';
}

/** What the workflow observed. `advance` records it in the database and returns the next instruction. */
export type RunEvent =
  | { readonly kind: 'BEGIN' }
  | { readonly kind: 'FETCH_FAILED'; readonly failure: AttemptFailure }
  | {
      readonly kind: 'RETURNED';
      readonly index: number;
      readonly attemptBase?: number;
      readonly result: unknown;
      /** Why the workflow could not read the result; completes a sentence that starts with "The result". */
      readonly unreadable?: string;
    }
  | {
      readonly kind: 'FAILED';
      readonly index: number;
      /** The attempt base of the activity's instruction; a worker of an earlier release omits it. */
      readonly attemptBase?: number;
      readonly failure: AttemptFailure;
    }
  | {
      readonly kind: 'REPORTED';
      readonly index: number;
      /** Whether the activity that delivers the step has ended. */
      readonly ended?: boolean;
      /** The attempt base of that activity's instruction. */
      readonly attemptBase?: number;
    }
  | { readonly kind: 'DEADLINE'; readonly index: number; readonly attempt: number }
  | { readonly kind: 'CANCEL' };

/** The longest pause before the next attempt that a worker may request, in seconds. */
export const longestPauseSeconds = 3_600;

/** Run a step. */
export type RunInstruction = Extract<Instruction, { readonly do: 'RUN' }>;

/** The instruction for an immediate first attempt at a step. */
export function beginWith(
  step: Pick<StepSnapshot, 'index' | 'max_attempts'>,
  coreUrl: string,
  queue: ReadingQueue | null = null,
): RunInstruction {
  const { index, max_attempts: attemptsLeft } = step;
  return {
    do: 'RUN',
    index,
    attemptBase: 0,
    attemptsLeft,
    delayMs: 0,
    coreUrl,
    ...(queue !== null && { queue }),
  };
}

/** The workflow's next instruction. The database holds all numbers too, so losing the history loses none. */
export type Instruction =
  /** Fetch the URL of the source. */
  | { readonly do: 'FETCH' }
  /**
   * After `delayMs`, execute the step. The next attempt is number `attemptBase` + 1, and `attemptsLeft`
   * attempts remain.
   */
  | {
      readonly do: 'RUN';
      readonly index: number;
      readonly attemptBase: number;
      readonly attemptsLeft: number;
      readonly delayMs: number;
      /** The base URL that activity workers are given, without a trailing slash. */
      readonly coreUrl: string;
      /**
       * The queue in which a step that reads or chunks a document waits for a child process. Omitted: the
       * step's own queue.
       */
      readonly queue?: ReadingQueue;
    }
  /** Nothing is decided yet: an attempt is still open, for at most `remainingMs`. */
  | { readonly do: 'WAIT'; readonly index: number; readonly attempt: number; readonly remainingMs: number }
  | {
      readonly do: 'END';
      readonly status: FinalStatus;
      readonly code: string | null;
      readonly message: string | null;
      /** The attempt of an HTTP worker that was cancelled with the run. */
      readonly cancelled?: { readonly index: number; readonly attempt: number };
    };

/**
 * The result of the activity `deliverStep`, once the worker has accepted the step or the attempt's row has an
 * outcome.
 */
export interface Delivery {
  readonly attempt: number;
  /** Milliseconds until the attempt's deadline when the delivery ended. */
  readonly remainingMs: number;
  /** The attempt is already settled, by the reply or by an earlier report. */
  readonly settled: boolean;
}

/**
 * The result of a built-in plugin's activity. The activity settled its attempt in the tables, and the next
 * instruction was decided in the same transaction. Without it the run asks, as after any other activity.
 */
export interface BuiltInOutcome {
  readonly next?: Instruction;
}
