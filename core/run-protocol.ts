import type { FinalStatus, PluginKind } from './states.js';
import type { CleanUpActivityMessage } from '@knowledge-warehouse/plugin/protocol';

/**
 * One step of a run's snapshot, as the workflow gets it: the bounds the pipeline set and where its plugin is reached.
 * It holds no config and no secret.
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
export interface ProcessResourceInput {
  readonly resourceId: string;
  readonly run: number;
  readonly steps: readonly StepSnapshot[];
  /** What it does first; left out: it asks. */
  readonly first?: RunInstruction;
}

/** What the start of a run's workflow needs to know. */
export interface RunStart {
  readonly name: string;
  readonly type: string;
  readonly steps: readonly StepSnapshot[];
  /**
   * The index of the step that the run begins with by itself: nothing stands in its way. Null: the run is to ask, because
   * its source is still to be fetched, the step's plugin is inactive or works elsewhere, or it was begun before.
   */
  readonly begins: number | null;
  /** Where that step waits for a child process; null: it needs none. */
  readonly queue: ReadingQueue | null;
}

/** The names under which workflows, their signals and their query are known to the server and to clients. */
export const workflowNames = {
  processResource: 'processResource',
  cleanUpResource: 'cleanUpResource',
  runOperation: 'runOperation',
  stepReported: 'stepReported',
  cleanUpNoted: 'cleanUpNoted',
  progress: 'progress',
} as const;

/** The entry of a workflow's memo that names the request it comes from. */
export const requestIdMemo = 'request_id';

/** The task queue of Core's own workflows and activities, and of the built-in plugins. */
export const coreTaskQueue = 'kw-core';

/**
 * The task queues of steps that read or cut documents. A worker takes from them only as many as it has places for, so that a
 * step waits in its queue, where its time-out does not run.
 */
export const readingQueues = {
  short: 'kw-core-short-texts',
  light: 'kw-core-texts',
  heavy: 'kw-core-documents',
} as const;

export type ReadingQueue = (typeof readingQueues)[keyof typeof readingQueues];

export const isReadingQueue = (name: unknown): name is ReadingQueue =>
  Object.values(readingQueues).some((each) => each === name);

/** Whether a task queue is one of Core's own. */
export const isCoreQueue = (name: string | null): boolean => name === coreTaskQueue || isReadingQueue(name);

/** The input of the workflow `cleanUpResource`: after its deletion, or, with `run`, after that run left artifacts out. */
export interface CleanUpResourceInput {
  readonly resourceId: string;
  readonly run?: number;
}

/** The id of the workflow that removes what a deleted resource, or a run that left artifacts out, has elsewhere. */
export function cleanUpWorkflowId({ resourceId, run }: CleanUpResourceInput): string {
  return run === undefined ? `resource-${resourceId}-clean-up` : `resource-${resourceId}-run-${run}-clean-up`;
}

/** What a plugin is to remove elsewhere, as the clean-up workflow has it done. */
export interface CleanUpTask {
  readonly id: string;
  readonly plugin_id: string;
  /** Of an activity plugin, where its clean-up activity is; an HTTP plugin is called by Core. */
  readonly activity: {
    readonly task_queue: string;
    readonly type: string;
    readonly message: CleanUpActivityMessage;
  } | null;
}

/** The argument of the signal `stepReported`: it only wakes the workflow, the attempt's row decides. */
export interface StepReported {
  readonly index: number;
  readonly attempt: number;
}

/** The answer of the query `progress`. */
export interface RunProgress {
  /** The index of the step at work, or null before the first and after the last. */
  readonly step: number | null;
  readonly doing: 'STARTING' | 'FETCHING' | 'RUNNING' | 'PAUSING' | 'WAITING_FOR_CALLBACK' | 'ENDED';
  /** The attempts used up before the one at work. */
  readonly attemptBase: number;
}

/** Why an activity ended without a result, as far as the workflow can tell. */
export interface AttemptFailure {
  /** A code of the plugin's or of Core's. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The attempt's number in the step where it is known, else null. */
  readonly attempt: number | null;
  readonly retryable: boolean;
  /** Temporal gave up because the attempts ran out. */
  readonly exhausted: boolean;
  readonly cause: 'ERROR' | 'TIMED_OUT' | 'INTERRUPTED';
}

/** What the workflow saw happen; `advance` settles it in the database and says what is next. */
export type RunEvent =
  | { readonly kind: 'BEGIN' }
  | { readonly kind: 'FETCH_FAILED'; readonly failure: AttemptFailure }
  | {
      readonly kind: 'RETURNED';
      readonly index: number;
      readonly result: unknown;
      /** Why the workflow could not read the result, in words that follow "The result". */
      readonly unreadable?: string;
    }
  | { readonly kind: 'FAILED'; readonly index: number; readonly failure: AttemptFailure }
  | { readonly kind: 'REPORTED'; readonly index: number }
  | { readonly kind: 'DEADLINE'; readonly index: number; readonly attempt: number }
  | { readonly kind: 'CANCEL' };

/** Run a step. */
export type RunInstruction = Extract<Instruction, { readonly do: 'RUN' }>;

/** The first attempt at a step, at once. */
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

/** What the workflow does next. All numbers stand in the database too, so that a lost history costs nothing. */
export type Instruction =
  /** Fetch the URL of the source. */
  | { readonly do: 'FETCH' }
  /** After `delayMs`, run the step: its next attempt is number `attemptBase` + 1, `attemptsLeft` may still be made. */
  | {
      readonly do: 'RUN';
      readonly index: number;
      readonly attemptBase: number;
      readonly attemptsLeft: number;
      readonly delayMs: number;
      /** The base of the URLs that an activity worker is told, without a slash at its end. */
      readonly coreUrl: string;
      /** Where a step that reads or cuts a document waits for a child process; left out: it waits in the step's own queue. */
      readonly queue?: ReadingQueue;
    }
  /** Nothing is decided yet: an attempt is still open, at most for `remainingMs`. */
  | { readonly do: 'WAIT'; readonly index: number; readonly attempt: number; readonly remainingMs: number }
  | {
      readonly do: 'END';
      readonly status: FinalStatus;
      readonly code: string | null;
      readonly message: string | null;
      /** The attempt at an HTTP worker that was cancelled with the run. */
      readonly cancelled?: { readonly index: number; readonly attempt: number };
    };

/** What the activity `deliverStep` returns once the worker took the step, or an outcome stands in the attempt's row. */
export interface Delivery {
  readonly attempt: number;
  /** Milliseconds left until the attempt's deadline, seen when the delivery ended. */
  readonly remainingMs: number;
  /** The attempt is settled already: by the reply, or by a report that came sooner. */
  readonly settled: boolean;
}

/**
 * What the activity of a built-in plugin returns: it settled its attempt in the tables itself, and what is next was decided
 * in the same transaction. Without it the run asks as after any other activity.
 */
export interface BuiltInOutcome {
  readonly next?: Instruction;
}
