import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { CoreActivities } from '../activities/index.js';
import {
  callingQueues,
  coreTaskQueue,
  type AttemptFailure,
  type BuiltInOutcome,
  type Instruction,
  type ProcessResourceInput,
  type RunEvent,
  type RunInstruction,
  type RunProgress,
  type StepSnapshot,
} from '../core/runs/run-protocol.js';
import { isWithin } from '../core/runs/run-input.js';
import { isRunByCore } from '../core/runs/next-step.js';
import { storeFullType } from '../core/states.js';
import type { ActivityMessage } from '@knowledge-warehouse/plugin/protocol';
import { advanceRun } from './advance.js';
import { toAttemptFailure } from './attempt-failure.js';
import { stepOfSignal, toDelivery, toInstruction } from './checked.js';
import { progress, stepReported } from './messages.js';
import { whyUnreadable } from './payload-converter.js';
import { describeInstruction } from './run-details.js';
import { toActivityOptions } from './retry-policy.js';

type EndInstruction = Extract<Instruction, { do: 'END' }>;
type WaitInstruction = Extract<Instruction, { do: 'WAIT' }>;
type Ended = { readonly value: unknown } | { readonly error: unknown };

/** How often a source is tried; tries that were lost with their worker do not count. */
const fetchTries = 3;

const { cancelDelivery } = proxyActivities<CoreActivities>({
  taskQueue: callingQueues.messages,
  scheduleToCloseTimeout: '2 minutes',
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
  summary: 'Notify the worker of the cancellation',
});

/**
 * With many resources, runs in progress finish before others start: the lower key comes first (decision 150).
 */
const priorities = { first: 3, later: 2 } as const;

/** Fetch failures that are not the source's fault: the fetch is restarted. */
const notTheSourcesFault = new Set(['STORAGE_UNAVAILABLE', 'DATABASE_UNAVAILABLE', 'HEARTBEAT_TIMED_OUT']);
/** The run's error code, by the type of the fetch's failure; other types become URL_FETCH_FAILED. */
const fetchCodes: ReadonlyMap<string, string> = new Map([
  ['URL_NOT_ALLOWED', 'URL_NOT_ALLOWED'],
  [storeFullType, 'STORAGE_UNAVAILABLE'],
]);
/** Milliseconds between tries, doubling up to the maximum, so that a long outage leaves few events. */
const fetchPause = { firstMs: 5_000, longestMs: 300_000 } as const;

/**
 * One run of a resource, executed instruction by instruction: the tables decide the next step, and the run
 * executes it and reports what it observed. Everything runs in a non-cancellable scope; the workflow's
 * cancellation becomes an event like the others.
 */
export class ResourceRun {
  private readonly reported = new Set<number>();
  private cancelRequested = false;
  private cancelReported = false;
  private failedTries = 0;
  private fetchPauseMs: number = fetchPause.firstMs;
  private doing: RunProgress = { step: null, doing: 'STARTING', attemptBase: 0 };

  constructor(private readonly input: ProcessResourceInput) {
    setHandler(stepReported, (report) => {
      const index = stepOfSignal(report);
      if (index !== null && input.steps.some((step) => step.index === index)) this.reported.add(index);
    });
    setHandler(progress, () => this.doing);
    CancellationScope.current().cancelRequested.catch(() => (this.cancelRequested = true));
  }

  async carryOut(): Promise<EndInstruction> {
    return await CancellationScope.nonCancellable(async () => {
      const { first } = this.input;
      let instruction = this.mayBeginWith(first)
        ? this.follow(first)
        : await this.reportEvent({ kind: 'BEGIN' });
      while (instruction.do !== 'END') {
        if (this.mustCancel) instruction = await this.reportCancel();
        else if (this.goesOnAsNew(instruction)) await this.goOnAsNew();
        else if (instruction.do === 'FETCH') instruction = await this.fetch();
        else if (instruction.do === 'WAIT') instruction = await this.awaitReport(instruction);
        else instruction = await this.runStep(instruction);
      }
      this.doing = { step: null, doing: 'ENDED', attemptBase: 0 };
      if (instruction.cancelled !== undefined) await this.notifyWorker(instruction.cancelled);
      return instruction;
    });
  }

  /**
   * Core's own activities check their input against the tables. Before calling anything else, a run asks for an
   * instruction, because its own input may be forged. Core's own input has no delay.
   */
  private mayBeginWith(first: RunInstruction | undefined): first is RunInstruction {
    const step = this.input.steps.find(({ index }) => index === first?.index);
    return step !== undefined && isRunByCore(step) && first?.delayMs === 0;
  }

  /** Whether to continue as new: the history is long, and the run does not wait for a report. */
  private goesOnAsNew(instruction: Instruction): boolean {
    if (instruction.do === 'WAIT' || !workflowInfo().continueAsNewSuggested) return false;
    // Runs of version 0.1.0 fetched in one history, however long.
    return instruction.do !== 'FETCH' || patched('fetch in a new history');
  }

  /** Continues as new; the new history asks for the next instruction. */
  private async goOnAsNew(): Promise<never> {
    const { first: _done, ...input } = this.input;
    return await continueAsNew<ProcessResource>(input);
  }

  private async reportEvent(event: RunEvent): Promise<Instruction> {
    const { resourceId, run, steps } = this.input;
    const answer = await advanceRun({ resourceId, run, steps }, event);
    const instruction = toInstruction(answer, steps);
    if (instruction !== null) return this.follow(instruction);
    const message = 'advanceRun returned no instruction.';
    throw ApplicationFailure.nonRetryable(message, 'WORKFLOW_FAILED');
  }

  private follow(instruction: Instruction): Instruction {
    setCurrentDetails(describeInstruction(instruction, this.input.steps));
    return instruction;
  }

  private async reportCancel(): Promise<Instruction> {
    this.cancelReported = true;
    return await this.reportEvent({ kind: 'CANCEL' });
  }

  /**
   * Notifies the HTTP worker once that its attempt was cancelled. A failure is ignored: the worker may be gone,
   * and the attempt is closed anyway.
   */
  private async notifyWorker({ index, attempt }: NonNullable<EndInstruction['cancelled']>): Promise<void> {
    const { resourceId, run, steps } = this.input;
    const pluginId = steps[index]?.plugin_id;
    const about = { resourceId, run, stepIndex: index, attempt };
    await cancelDelivery(pluginId === undefined ? about : { ...about, pluginId }).catch(() => undefined);
  }

  private get mustCancel(): boolean {
    return this.cancelRequested && !this.cancelReported;
  }

  private async fetch(): Promise<Instruction> {
    this.doing = { step: null, doing: 'FETCHING', attemptBase: 0 };
    const { resourceId, run } = this.input;
    const maximumAttempts = Math.max(1, fetchTries - this.failedTries);
    const { fetchSource } = proxyActivities<CoreActivities>({
      taskQueue: callingQueues.sources,
      startToCloseTimeout: '1 hour',
      heartbeatTimeout: '10 seconds',
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      retry: { maximumAttempts, initialInterval: '2 seconds', backoffCoefficient: 2 },
      summary: 'Fetch the source',
    });
    return await this.race(
      () => fetchSource({ resourceId, run, failedTries: this.failedTries }),
      () => false,
      async (ended) => {
        if ('value' in ended) return await this.reportEvent({ kind: 'BEGIN' });
        const failure = toAttemptFailure(ended.error);
        const wasInterrupted = failure.cause === 'INTERRUPTED';
        this.failedTries = Math.max(this.failedTries, failedTriesOf(ended.error));
        if (notTheSourcesFault.has(failure.code) || wasInterrupted || hasTriesLeft(failure)) {
          await condition(() => this.mustCancel, wasInterrupted ? 1 : this.fetchPauseMs, {
            summary: 'Fetch the source · pause before the next attempt',
          });
          if (!wasInterrupted) this.fetchPauseMs = Math.min(2 * this.fetchPauseMs, fetchPause.longestMs);
          return await this.reportEvent({ kind: 'BEGIN' });
        }
        const code = fetchCodes.get(failure.code) ?? 'URL_FETCH_FAILED';
        return await this.reportEvent({ kind: 'FETCH_FAILED', failure: { ...failure, code } });
      },
    );
  }

  private async runStep(instruction: RunInstruction): Promise<Instruction> {
    const { index, attemptBase } = instruction;
    const step = this.input.steps.find((candidate) => candidate.index === index);
    if (step === undefined) throw new Error(`The input has no step ${index}.`);
    if (instruction.delayMs > 0) {
      this.doing = { step: index, doing: 'PAUSING', attemptBase };
      await condition(() => this.mustCancel, instruction.delayMs, {
        summary: `${this.nameOf(index)} · pause before the next attempt`,
      });
      if (this.mustCancel) return await this.reportCancel();
    }
    this.reported.delete(index);
    this.doing = { step: index, doing: 'RUNNING', attemptBase };
    return await this.race(
      () => this.schedule(step, instruction),
      () => this.reported.delete(index),
      (ended) => {
        if ('error' in ended) {
          const failure = toAttemptFailure(ended.error);
          return this.reportEvent({ kind: 'FAILED', index, attemptBase, failure });
        }
        if (step.kind === 'activity') return this.takeResult(step, attemptBase, ended.value);
        const delivery = toDelivery(ended.value, step);
        if (delivery === null || delivery.settled)
          return this.reportEvent({ kind: 'REPORTED', index, ended: true, attemptBase });
        return this.awaitReport({ do: 'WAIT', index, ...delivery });
      },
      () => this.reportEvent({ kind: 'REPORTED', index }),
    );
  }

  private async takeResult(step: StepSnapshot, attemptBase: number, result: unknown): Promise<Instruction> {
    const { next } = isRunByCore(step) ? ((result ?? {}) as Partial<BuiltInOutcome>) : {};
    const instruction = toInstruction(next, this.input.steps);
    if (instruction !== null) return this.follow(instruction);
    const returned = { kind: 'RETURNED', index: step.index, attemptBase } as const;
    const unreadable = whyUnreadable(result);
    if (unreadable === null) return await this.reportEvent({ ...returned, result });
    return await this.reportEvent({ ...returned, result: null, unreadable });
  }

  private schedule(step: StepSnapshot, instruction: RunInstruction): Promise<unknown> {
    const { resourceId, run } = this.input;
    const options = {
      ...toActivityOptions(step, instruction.attemptsLeft),
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      priority: {
        priorityKey: step.index === this.input.steps[0]?.index ? priorities.first : priorities.later,
      },
      summary: this.nameOf(step.index),
    };
    if (step.kind === 'http') {
      const { deliverStep } = proxyActivities<CoreActivities>({
        ...options,
        taskQueue: callingQueues.plugins,
        heartbeatTimeout: '10 seconds',
      });
      return deliverStep({ resourceId, run, stepIndex: step.index, attemptBase: instruction.attemptBase });
    }
    const activities = proxyActivities({
      ...options,
      ...queueOf(step, instruction),
      ...(step.heartbeat_seconds === null ? {} : { heartbeatTimeout: step.heartbeat_seconds * 1000 }),
    });
    const message: ActivityMessage = {
      protocol: 'kw.activity/1',
      core_url: instruction.coreUrl,
      resource_id: resourceId,
      run,
      step_index: step.index,
      plugin_id: step.plugin_id,
      attempt_base: instruction.attemptBase,
    };
    const activity = activities[step.activity_type ?? ''];
    if (activity === undefined) throw new Error(`The plugin ${step.plugin_id} names no activity.`);
    return activity(message);
  }

  /** A step's name for its activities and timers in the Temporal Web UI. */
  private nameOf(index: number): string {
    const step = this.input.steps.find((candidate) => candidate.index === index);
    return `Step ${index} · ${step?.plugin_id ?? '?'}`;
  }

  /** Waits until its deadline for the outcome of an attempt whose activity has ended. */
  private async awaitReport(wait: WaitInstruction): Promise<Instruction> {
    const { index, attempt, remainingMs } = wait;
    this.doing = { step: index, doing: 'WAITING_FOR_CALLBACK', attemptBase: attempt - 1 };
    this.follow(wait);
    const deadline = Date.now() + remainingMs;
    for (;;) {
      const woken = await condition(
        () => this.mustCancel || this.reported.has(index),
        Math.max(1, deadline - Date.now()),
        { summary: `${this.nameOf(index)} · report of attempt ${attempt}` },
      );
      if (this.mustCancel) return await this.reportCancel();
      if (!woken) return await this.reportEvent({ kind: 'DEADLINE', index, attempt });
      this.reported.delete(index);
      const reported = { kind: 'REPORTED', index, ended: true, attemptBase: attempt - 1 } as const;
      const instruction = await this.reportEvent(reported);
      if (instruction.do !== 'WAIT') return instruction;
    }
  }

  /**
   * Runs an activity until it ends, a signal settles its step or the run is cancelled. The activity is
   * cancelled only after its attempt was closed in its row.
   */
  private async race(
    start: () => Promise<unknown>,
    takeSignal: () => boolean,
    onEnd: (ended: Ended) => Promise<Instruction>,
    onSignal?: () => Promise<Instruction>,
  ): Promise<Instruction> {
    const scope = new CancellationScope({ cancellable: true });
    let ended: Ended | undefined;
    void scope.run(start).then(
      (value) => (ended = { value }),
      (error: unknown) => (ended = { error }),
    );
    const hasEnded = (): boolean => ended !== undefined;
    for (;;) {
      let signalled = false;
      await condition(() => hasEnded() || this.mustCancel || (signalled ||= takeSignal()));
      if (ended !== undefined && !this.mustCancel) return await onEnd(ended);
      const instruction = this.mustCancel ? await this.reportCancel() : await onSignal?.();
      if (instruction === undefined || instruction.do === 'WAIT') continue;
      scope.cancel();
      return instruction;
    }
  }
}

/** How many tries of a fetch had failed when Temporal gave it up; 0 if nothing says so. */
function failedTriesOf(error: unknown): number {
  if (!(error instanceof ActivityFailure)) return 0;
  const { cause } = error;
  const isTimeout = cause instanceof TimeoutFailure;
  const failedTries: unknown = isTimeout
    ? cause.lastHeartbeatDetails
    : toAttemptFailure(error).details['failedTries'];
  return isWithin(failedTries, 0) ? failedTries : 0;
}

/** Whether Temporal gave up a fetch although some of its tries were lost. */
function hasTriesLeft({ exhausted, retryable, details }: AttemptFailure): boolean {
  const { failedTries } = details;
  const isLeft = exhausted && retryable && isWithin(failedTries, 0) && failedTries < fetchTries;
  return isLeft && patched('lost tries of a fetch are repeated');
}

/** Only Core's own steps may wait in a queue other than their plugin's. */
function queueOf(step: StepSnapshot, { queue }: RunInstruction): { readonly taskQueue?: string } {
  const taskQueue = step.task_queue === coreTaskQueue ? (queue ?? callingQueues.services) : step.task_queue;
  return taskQueue === null ? {} : { taskQueue };
}

type ProcessResource = (input: ProcessResourceInput) => Promise<unknown>;
